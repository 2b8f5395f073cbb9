package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// ptr is unsafe.SliceData, short since every call of a kernel needs it.
func ptr[E any](x []E) *E { return unsafe.SliceData(x) }

// scene is one call of a kernel: its arguments in poisoned memory, and what the call should leave there.
type scene[T float] struct {
	kernel[T]
	c         call[T]
	idx       prove.Memory[float32] // int32, seen as the floats of the same bits
	val, a, y prove.Memory[T]
	start     []T // what the output held
	sums      []prove.Sum[T]
}

// layout says where the arguments lie: offsets in elements from a boundary of 128 bytes, and how much lies between
// rows.
type layout struct{ idx, val, a, y, gap int }

// place lays out a call with nnz of d rows, drawn with repetitions, and n columns. Rows that no index leads to are
// poisoned like what lies between rows, if the matrix is only read.
func (s *scene[T]) place(k kernel[T], d, nnz, n int, at layout, fill func(int) T, r *rand.Rand) {
	s.kernel = k
	if !k.matrix {
		n, at.gap = 1, 0
	}
	if d == 0 {
		nnz = 0
	}
	used := map[int]bool{}
	s.idx.Place(at.idx, 1, nnz, nnz, func(int) float32 {
		j := r.IntN(d)
		used[j] = true
		return math.Float32frombits(uint32(j))
	})
	s.val.Place(at.val, 1, nnz, nnz, fill)
	rows, cols := d, n
	if !k.matrix {
		rows, cols = 1, d
	}
	s.c.n, s.c.lda = n, n+at.gap
	s.a.Place(at.a, rows, cols, max(s.c.lda, cols), func(i int) T {
		if k.out != outA && !used[i/max(n, 1)] {
			return prove.Poison[T]()
		}
		return fill(i)
	})
	length := n
	if !k.matrix {
		length = 0
	}
	s.y.Place(at.y, 1, length, length, func(i int) T {
		if k.out == outY && s.c.beta == 0 {
			return -prove.Poison[T]()
		}
		return fill(i)
	})
	s.c.idx, s.c.val, s.c.a, s.c.y = int32s(s.idx.Data), s.val.Data, s.a.Data, s.y.Data
}

func int32s(x []float32) []int32 { return unsafe.Slice((*int32)(unsafe.Pointer(ptr(x))), len(x)) }

// output is the memory that the kernel writes, nil when it returns a sum.
func (s *scene[T]) output() *prove.Memory[T] {
	switch s.out {
	case outA:
		return &s.a
	case outY:
		return &s.y
	}
	return nil
}

func (s *scene[T]) reset() {
	s.idx.Reset()
	s.val.Reset()
	s.a.Reset()
	s.y.Reset()
	s.c.sum = prove.Poison[T]()
}

// each calls add for every term of the output, what it held before among them.
func (s *scene[T]) each(add func(i int, f, g, h T)) {
	if o := s.output(); o != nil {
		for i := range o.Elements {
			switch {
			case s.out == outA:
				add(i, s.start[i], 1, 1)
			case s.c.beta != 0:
				add(i, s.c.beta, s.start[i], 1)
			}
		}
	}
	s.terms(&s.c, add)
}

// check runs every form of the kernel and demands the sums by the loops of the doc comment: the same value if exact is
// set, which is for data on which every order agrees, or else a value within the bound. All other memory must stay as
// it is.
func (s *scene[T]) check(t testing.TB, exact bool) {
	t.Helper()
	s.reset()
	size := 1
	if o := s.output(); o != nil {
		size = len(o.Data)
		s.start = append(s.start[:0], o.Data...)
	}
	want := make([]T, size)
	if exact {
		s.each(func(i int, f, g, h T) { want[i] += T(T(f*g) * h) })
	} else {
		for len(s.sums) < size {
			s.sums = append(s.sums, prove.Sum[T]{})
		}
		for i := range size {
			s.sums[i].Reset()
		}
		s.each(func(i int, f, g, h T) { s.sums[i].Add(f, g, h) })
	}
	prove.Forms(func(form string) {
		s.reset()
		s.run(&s.c)
		one := func(i int, got T) {
			if exact {
				if got != want[i] && !prove.Same(got, want[i]) {
					t.Fatalf("%s: result %d: got %v, want %v", s.where(form), i, got, want[i])
				}
			} else if err := s.sums[i].Check(got); err != nil {
				t.Fatalf("%s: result %d: %v", s.where(form), i, err)
			}
		}
		if o := s.output(); o == nil {
			one(0, s.c.sum)
		} else {
			for i := range o.Elements {
				one(i, o.Data[i])
				o.Want()[i] = o.Data[i]
			}
		}
		for name, err := range map[string]error{"idx": s.idx.Diff(false), "val": s.val.Diff(false),
			"a": s.a.Diff(false), "y": s.y.Diff(false)} {
			if err != nil {
				t.Fatalf("%s: %s: %v", s.where(form), name, err)
			}
		}
	})
}

func (s *scene[T]) where(form string) string {
	c := &s.c
	return fmt.Sprintf("%s on %s: nnz=%d n=%d lda=%d alpha=%v beta=%v idx=%v", s.name, form, len(c.idx), c.n, c.lda,
		c.alpha, c.beta, c.idx[:min(len(c.idx), 30)])
}
