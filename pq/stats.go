package pq

// Stats are what an index holds, and what it takes.
type Stats struct {
	Vectors int
	Holes   int // places of removed vectors, which the next ones take, or which Compact gives back
	Lists   int // 0: none

	// Bytes of each vector: its code, what bounds keep beside it, and the vector itself; 0 for what is not kept.
	Code, Bounds, Vector int
}

// Stats returns them.
func (ix *Index) Stats() Stats {
	of := ix.held.Load()
	s := Stats{Vectors: of.n, Holes: of.used - of.n, Lists: len(of.lists), Code: ix.codec.CodeSize(),
		Bounds: 4 * ix.floats()}
	if ix.c.Vectors {
		s.Vector = 4 * ix.codec.D()
	}
	return s
}
