package sparse

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages calls every kernel with each argument between pages without rights, once directly behind the lower one
// and once directly before the upper one, and what is only read without the right to write: any touch outside faults.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, guardPages[float32], guardPages[float64])
}

func guardPages[T float](t *testing.T) {
	const most = 1 << 16
	idx, val, a, y := guard.New(t, most), guard.New(t, most), guard.New(t, most), guard.New(t, most)
	r := prove.Rand(5)
	odd := prove.Odd[T](r)
	var columns []int
	for n := range 70 {
		columns = append(columns, n)
	}
	columns = append(columns, 101, 104, 130, 209, 215, 300)
	for _, k := range kernels[T]() {
		for i, n := range columns {
			if testing.Short() && i%3 == 1 {
				continue
			}
			nnz, d := i%23, 1+i%7
			var s scene[T]
			s.c.alpha, s.c.beta = 3, 2
			s.place(k, d, nnz, n, layout{gap: i % 3}, odd, r)
			for i := range s.c.idx { // the ends of a are what may be overstepped
				s.c.idx[i] = int32(i % d)
			}
			s.c.a = append([]T(nil), s.c.a...)
			for i := range s.c.a {
				s.c.a[i] = odd(i)
			}
			s.guarded(t, idx, val, a, y)
		}
	}
}

// guarded compares every form with the pure-Go twin at both ends of the arenas. Small integers give both the same.
func (s *scene[T]) guarded(t *testing.T, idx, val, a, y *guard.Arena) {
	t.Helper()
	for end, place := range map[string]struct {
		f func(*guard.Arena, int) []T
		i func(*guard.Arena, int) []int32
	}{"lower": {guard.Head[T], guard.Head[int32]}, "upper": {guard.Tail[T], guard.Tail[int32]}} {
		run := func(protect bool) call[T] {
			c := s.c
			c.idx, c.val, c.a, c.y = place.i(idx, len(c.idx)), place.f(val, len(c.val)), place.f(a, len(c.a)),
				place.f(y, len(c.y))
			copy(c.idx, s.c.idx)
			copy(c.val, s.c.val)
			copy(c.a, s.c.a)
			copy(c.y, s.c.y)
			for _, r := range []struct {
				arena *guard.Arena
				read  bool
			}{{idx, true}, {val, true}, {a, s.out != outA}, {y, s.out != outY}} {
				r.arena.ReadOnly(t, r.read && protect)
				defer r.arena.ReadOnly(t, false)
			}
			if at, faulted := guard.Fault(func() { s.run(&c) }); faulted {
				t.Fatalf("%s at the %s guard page: fault at %#x (idx %t, val %t, a %t, y %t)",
					s.where(cpu.Level.String()), end, at, idx.Contains(at), val.Contains(at), a.Contains(at),
					y.Contains(at))
			}
			c.a, c.y = append([]T(nil), c.a...), append([]T(nil), c.y...)
			return c
		}
		old := cpu.Set(cpu.Generic)
		want := run(false)
		cpu.Set(old)
		prove.Forms(func(form string) {
			got := run(true)
			if got.sum != want.sum {
				t.Fatalf("%s at the %s guard page: got %v, want %v", s.where(form), end, got.sum, want.sum)
			}
			for i := range want.a {
				if got.a[i] != want.a[i] {
					t.Fatalf("%s at the %s guard page: a[%d] is %v, want %v", s.where(form), end, i, got.a[i],
						want.a[i])
				}
			}
			for i := range want.y {
				if got.y[i] != want.y[i] {
					t.Fatalf("%s at the %s guard page: y[%d] is %v, want %v", s.where(form), end, i, got.y[i],
						want.y[i])
				}
			}
		})
	}
}
