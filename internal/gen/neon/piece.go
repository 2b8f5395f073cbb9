package main

import (
	"math/bits"
	"strings"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// piece is a run of elements that is worked on at once: some vectors, or, at the end of an array, a part of one. A load
// of a part clears the lanes above, so that the same instructions serve, and a store of it writes no more than the
// part.
type piece struct {
	vectors int
	bytes   int // of one vector: 16, 8 or 4
}

func (p piece) size() int { return p.vectors * p.bytes }

// elements is the number of elements in p.
func (e elem) elements(p piece) int { return p.size() / e.size }

// block is a piece of n full vectors.
func block(n int) piece { return piece{n, vectorBytes} }

// ends are the pieces that together make up any number of elements below block(n)'s, n a power of two.
func (e elem) ends(n int) (p []piece) {
	for n /= 2; n > 0; n /= 2 {
		p = append(p, block(n))
	}
	for b := vectorBytes / 2; b >= e.size; b /= 2 {
		p = append(p, piece{1, b})
	}
	return p
}

// run is a part of a piece that one instruction loads or stores: the vectors [first, first+n), n at most 2.
type run struct {
	first, n int
	bytes    int // of one vector
	advance  int // bytes by which the pointer goes on afterwards
}

// runs cuts p. The run at offset 0 comes last and moves the pointer behind p, so that this costs no instruction.
func (p piece) runs() (r []run) {
	for first := 2; first < p.vectors; first += 2 {
		r = append(r, run{first, 2, p.bytes, 0})
	}
	return append(r, run{0, min(p.vectors, 2), p.bytes, p.size()})
}

// stay is r that leaves the pointer where it is.
func (r run) stay() run {
	r.advance = 0
	return r
}

// each calls f for the index of each of r's vectors.
func (r run) each(f func(i int)) {
	for i := r.first; i < r.first+r.n; i++ {
		f(i)
	}
}

// load fills the vectors of v that belong to r from the piece at p.
func (k *kernel) load(r run, v []V, p X) {
	name, reg, mem := r.move(v, p)
	k.Op(name, mem, reg)
}

// store writes the vectors of v that belong to r to the piece at p.
func (k *kernel) store(r run, v []V, p X) {
	name, reg, mem := r.move(v, p)
	k.Op(strings.Replace(name, "FLD", "FST", 1), reg, mem)
}

// storeBack writes to where load has just read with the same r and p. The load has moved the pointer, so that the next
// loads need not wait for this store to have its data.
func (k *kernel) storeBack(r run, v []V, p X) {
	name, reg, _ := r.stay().move(v, p)
	k.Op(strings.Replace(name, "FLD", "FST", 1), reg, a64.Mem(p, r.first*vectorBytes-r.advance))
}

// move returns the instruction that loads r and its two operands.
func (r run) move(v []V, p X) (name string, reg, mem a64.Operand) {
	name, reg = map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[r.bytes], v[r.first]
	if r.n == 2 {
		name, reg = "FLDPQ", a64.Pair(v[r.first], v[r.first+1])
	}
	if r.advance > 0 {
		return name + ".P", reg, a64.Mem(p, r.advance)
	}
	return name, reg, a64.Mem(p, r.first*vectorBytes)
}

// stream works through n elements: body in a loop over blocks of the given number of vectors, after it fold, unless the
// loop never ran, then body for each piece that the bits of the remainder ask for. It needs n >= 0, and destroys n.
func (k *kernel) stream(n X, vectors int, body func(piece), fold func()) {
	main := block(vectors)
	loop, ends := k.NewLabel("loop"), k.NewLabel("ends")
	step := imm(k.elements(main))
	k.Op("SUBS", step, n, n)
	k.Op("BLT", ends)
	k.Op("PCALIGN", imm(16))
	k.section(loop, counted(vectors, "vector")+" at a time.")
	body(main)
	k.Op("SUBS", step, n, n)
	k.Op("BGE", loop)
	if fold != nil {
		fold()
	}
	k.section(ends, "The rest by the bits of n.")
	for _, p := range k.ends(vectors) {
		k.ifBit(n, p, func() { body(p) })
	}
}

// ifBit adds code that runs only when n has the bit that stands for p. (Subtracting blocks has left it as it was.)
func (k *kernel) ifBit(n X, p piece, code func()) {
	skip := k.NewLabel("skip")
	k.Op("TBZ", imm(bits.TrailingZeros(uint(k.elements(p)))), n, skip)
	code()
	k.Bind(skip)
}
