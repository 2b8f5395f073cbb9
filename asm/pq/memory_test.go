package pq

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/guard"
)

// words is the memory of b as 16-bit numbers.
func words(b []byte) *uint16 { return (*uint16)(unsafe.Pointer(unsafe.SliceData(b))) }

// memory says where the arguments of a call lie.
type memory interface {
	floats(x []float32, written bool) []float32
	bytes(x []byte, written bool) []byte
	words(x []uint16) []uint16
	ints(x []uint32) []uint32
}

// placed copies the arguments to m; what is written begins as poison.
func (a *args) placed(m memory) *args {
	b := *a
	for i := range a.in {
		b.in[i] = m.floats(a.in[i], false)
	}
	for i := range a.codes {
		b.codes[i] = m.bytes(a.codes[i], false)
	}
	b.f, b.b, b.w, b.i = m.floats(a.f, true), m.bytes(a.b, true), m.words(a.w), m.ints(a.i)
	return &b
}

const poison = 0xa5

// put copies x to dst, or fills dst with poison when it is to be written.
func put[T any](dst, x []T, written bool) []T {
	copy(dst, x)
	if written {
		fill(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)*int(unsafe.Sizeof(*new(T)))), poison)
	}
	return dst
}

// poisoned places arguments some elements behind a boundary of 128 bytes, in the middle of poison.
type poisoned struct {
	offset int
	rooms  [][]byte // all of the memory, to be checked by intact
	data   [][2]int // where the arguments lie in them
}

func room[T any](p *poisoned, x []T, written bool) []T {
	const margin = 256
	size := int(unsafe.Sizeof(*new(T)))
	mem := make([]byte, 2*margin+len(x)*size+16*size+128)
	fill(mem, poison)
	from := int(-uintptr(unsafe.Pointer(&mem[0]))%128) + margin/128*128 + p.offset*size
	p.rooms, p.data = append(p.rooms, mem), append(p.data, [2]int{from, from + len(x)*size})
	return put(unsafe.Slice((*T)(unsafe.Pointer(&mem[from])), len(x)), x, written)
}

func (p *poisoned) floats(x []float32, written bool) []float32 { return room(p, x, written) }
func (p *poisoned) bytes(x []byte, written bool) []byte        { return room(p, x, written) }
func (p *poisoned) words(x []uint16) []uint16                  { return room(p, x, true) }
func (p *poisoned) ints(x []uint32) []uint32                   { return room(p, x, true) }

func (p *poisoned) intact() error {
	for i, mem := range p.rooms {
		for j, v := range mem {
			if v != poison && (j < p.data[i][0] || j >= p.data[i][1]) {
				return fmt.Errorf("argument %d: byte %d was overwritten, it has %d", i, j-p.data[i][0],
					p.data[i][1]-p.data[i][0])
			}
		}
	}
	return nil
}

// guarded places each argument in an arena of its own, at one end; what is only read has no right to be written.
type guarded struct {
	t      *testing.T
	arenas []*guard.Arena
	upper  bool
	next   int
}

func newGuarded(t *testing.T) *guarded {
	g := &guarded{t: t}
	for range 8 {
		g.arenas = append(g.arenas, guard.New(t, 3*258*Block))
	}
	return g
}

func end[T any](g *guarded, x []T, written bool) []T {
	a := g.arenas[g.next]
	g.next++
	a.ReadOnly(g.t, false)
	place := guard.Head[T]
	if g.upper {
		place = guard.Tail[T]
	}
	dst := put(place(a, len(x)), x, written)
	a.ReadOnly(g.t, !written)
	return dst
}

func (g *guarded) floats(x []float32, written bool) []float32 { return end(g, x, written) }
func (g *guarded) bytes(x []byte, written bool) []byte        { return end(g, x, written) }
func (g *guarded) words(x []uint16) []uint16                  { return end(g, x, true) }
func (g *guarded) ints(x []uint32) []uint32                   { return end(g, x, true) }

// diff compares results. Of bytes written apart from each other only those count; of the indices, those found.
func (a *args) diff(want *args) error {
	if a.ret != want.ret {
		return fmt.Errorf("returned %d, want %d", a.ret, want.ret)
	}
	for i := range a.f {
		if math.Float32bits(a.f[i]) != math.Float32bits(want.f[i]) && (a.f[i] == a.f[i] || want.f[i] == want.f[i]) {
			return fmt.Errorf("number %d is %v (%#x), want %v (%#x)", i, a.f[i], math.Float32bits(a.f[i]), want.f[i],
				math.Float32bits(want.f[i]))
		}
	}
	for i := range a.b {
		expected := want.b[i]
		if i%(1+a.apart) != 0 {
			expected = poison
		}
		if a.b[i] != expected {
			return fmt.Errorf("byte %d is %d, want %d", i, a.b[i], expected)
		}
	}
	for i := range a.w {
		if a.w[i] != want.w[i] {
			return fmt.Errorf("word %d is %d, want %d", i, a.w[i], want.w[i])
		}
	}
	if len(a.i) > 0 {
		for i := range a.ret {
			if a.i[i] != want.i[i] {
				return fmt.Errorf("index %d is %d, want %d", i, a.i[i], want.i[i])
			}
		}
	}
	return nil
}
