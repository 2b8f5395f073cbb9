package dataset

import "math"

// fields takes the index:value fields that come next in the window as far as nothing is to be said of them: a blank
// before each, indices that ascend and are known, finite numbers. That is nearly all of a file, in one loop without
// calls. Whatever else stands there, and a field that the window cuts, is left to row. last is the index before, from
// 0; fields returns the index of the last one taken.
func (p *libsvmParser[T]) fields(last int64) int64 {
	if p.dropped {
		return last
	}
	buf, i, first := p.buf[:p.end], p.pos, p.first()
	known := int64(math.MaxInt32) // indices below it
	if p.o.Cols > 0 {
		known = int64(p.o.Cols)
	}
	for i+1 < len(buf) && buf[i] == ' ' {
		at, k := i+1, i+1
		var j int64
		for ; k < len(buf) && buf[k]-'0' <= 9 && k-at < 10; k++ {
			j = j*10 + int64(buf[k]-'0')
		}
		if j -= first; k == at || k == len(buf) || buf[k] != ':' || j <= last || j >= known {
			break
		}
		v, size := leadingNumber[T](buf[k+1:])
		if size == 0 {
			break
		}
		if j >= int64(p.x.Cols) {
			p.x.Cols = int(j + 1)
			p.widestAt = place{p.line, p.base + int64(at) - p.begin}
		}
		if v != 0 {
			p.idx.add(int32(j))
			p.val.add(v)
		}
		last, i = j, k+1+size
	}
	p.pos = i
	return last
}
