package dataset

// pieces holds numbers whose count is not known yet. Unlike an appended slice it does not move them as they become
// more: they are copied once, at the end, so that n numbers take memory twice, and their memory is touched twice, at
// most.
type pieces[E any] struct {
	full   [][]E
	inFull int
	last   []E
}

func (p *pieces[E]) add(v E) {
	if len(p.last) == cap(p.last) {
		p.more()
	}
	p.last = append(p.last, v)
}

// more begins a piece: as large as all before, from 8 thousand numbers to a million.
func (p *pieces[E]) more() {
	if len(p.last) > 0 {
		p.full = append(p.full, p.last)
		p.inFull += len(p.last)
	}
	p.last = make([]E, 0, min(max(1<<13, p.inFull), 1<<20))
}

func (p *pieces[E]) len() int { return p.inFull + len(p.last) }

// take returns all numbers, nil if there are none, and leaves none.
func (p *pieces[E]) take() []E {
	if p.len() == 0 {
		return nil
	}
	all := make([]E, 0, p.len())
	for i, piece := range p.full {
		all = append(all, piece...)
		p.full[i] = nil
	}
	all = append(all, p.last...)
	*p = pieces[E]{}
	return all
}
