package dataset

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// group takes the field qid:number if it is the word that k says stands behind the label. It returns what comes then.
func (p *libsvmParser[T]) group(k kind) (kind, error) {
	const want = "qid:number, as the examples before have it"
	number, has := bytes.CutPrefix(p.token, []byte("qid:"))
	has = has && k == word
	if p.examples == 0 {
		p.grouped = has
	}
	switch {
	case has && !p.grouped:
		return k, p.expected("no group, as the examples before have none", 0)
	case p.grouped && !has && k == word:
		return k, p.expected(want, 0)
	case p.grouped && !has:
		return k, p.fail(k, want)
	case !has:
		return k, nil
	}
	g, err := strconv.Atoi(string(number))
	if err != nil {
		return k, p.expected(fmt.Sprintf("an integer of %d bits as the group", strconv.IntSize), len("qid:"))
	}
	if !p.dropped {
		p.groups = append(p.groups, g)
	}
	return p.next(), nil
}

// row takes the index:value fields, the first of which is the token, and returns what ends them.
func (p *libsvmParser[T]) row() (kind, error) {
	first := p.first()
	last := int64(-1)
	for k := word; ; k = p.next() {
		if k != word {
			return k, nil
		}
		j, used := index(p.token)
		if used == 0 {
			return k, p.expected("index:value", 0)
		}
		if used == len(p.token) || p.token[used] != ':' {
			return k, p.expected("':' after the index", used)
		}
		if j -= first; j < 0 {
			return k, p.expected("an index from 1 (or the option ZeroBased)", 0)
		}
		unseen := p.o.Cols > 0 && j >= int64(p.o.Cols)
		if unseen && !p.o.DropUnseen {
			return k, p.expected(fmt.Sprintf("an index of at most %d, for %d columns",
				int64(p.o.Cols)-1+first, p.o.Cols), 0)
		}
		if j >= math.MaxInt32 {
			return k, p.expected(fmt.Sprintf("an index of at most %d", math.MaxInt32-1+first), 0)
		}
		if j <= last {
			return k, p.expected(fmt.Sprintf("an index above the one before it, %d", last+first), 0)
		}
		last = j
		v, ok := parseNumber[T](p.token[used+1:])
		if ok != finite {
			return k, p.expected(ok.want(unsafe.Sizeof(v))+" as the value", used+1)
		}
		switch {
		case p.dropped:
		case !unseen:
			p.store(j, v)
		case v != 0:
			p.droppedNNZ++
		}
		last = p.fields(last)
	}
}

// store keeps the number v of column j.
func (p *libsvmParser[T]) store(j int64, v T) {
	if j >= int64(p.x.Cols) {
		p.x.Cols = int(j + 1)
		p.widestAt = place{p.line, p.start - p.begin}
	}
	if v != 0 {
		p.idx.add(int32(j))
		p.val.add(v)
	}
}

// first is the index of the first column.
func (p *libsvmParser[T]) first() int64 {
	if p.o.ZeroBased {
		return 0
	}
	return 1
}

// index reads the digits b starts with and returns their number, 2^40 when it is more, and how many they are.
func index(b []byte) (v int64, used int) {
	for used < len(b) && b[used]-'0' <= 9 {
		v = min(v*10+int64(b[used]-'0'), 1<<40)
		used++
	}
	return v, used
}

// plausible returns an error if the largest index is a mistake: an identifier, say, in place of a feature. Whoever
// trains on the file takes memory for d numbers a class, so that one such index costs all there is.
//
// No d up to 2^25 is refused: files with few examples are hashed to 2^24 features, and a model of 2^25 fits into
// memory. Beyond that the file has to pay for its features. The largest public sets have more nonzeros than features
// (kdd2012: 55 million features and 30 times as many nonzeros); 16 leaves room for hashes with mostly empty buckets,
// and holds the d numbers of a class in float32 to 8 times the memory of the nonzeros, which take 8 bytes each.
func (p *libsvmParser[T]) plausible() error {
	d, most := int64(p.x.Cols), max(1<<25, 16*int64(p.val.len()))
	if p.o.Cols > 0 || d <= most {
		return nil
	}
	return &ParseError{
		File: p.file, Line: p.widestAt.line, Column: clampInt(p.widestAt.column + 1),
		Found: fmt.Sprintf("index %d", d-1+p.first()),
		Want: fmt.Sprintf("an index of at most %d with %d nonzeros in the file, or the option Cols",
			most-1+p.first(), p.val.len()),
	}
}

// place is a line of a text and a byte in it, from 0.
type place struct {
	line   int
	column int64
}
