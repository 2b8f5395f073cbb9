package prove

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
)

func TestTiers(t *testing.T) {
	before, i := cpu.Level, 0
	Tiers(func(tier cpu.Tier) {
		if tier != cpu.Tiers()[i] || cpu.Level != tier {
			t.Errorf("call %d: tier %v, in use %v", i, tier, cpu.Level)
		}
		i++
	})
	if i != len(cpu.Tiers()) || cpu.Level != before {
		t.Errorf("%d calls, tiers %v; tier %v left, %v before", i, cpu.Tiers(), cpu.Level, before)
	}
}

func TestMemory(t *testing.T) { Both(t, memory[float32], memory[float64]) }

func memory[T Float](t *testing.T) {
	var m Memory[T]
	size := unsafe.Sizeof(T(0))
	count := func(i int) T { return T(i) }
	for offset := range 16 {
		m.Place(offset, 3, 4, 6, count)
		if at := uintptr(unsafe.Pointer(&m.Data[0])) % aligned / size; at != uintptr(offset)%(aligned/size) {
			t.Errorf("offset %d lies at %d", offset, at)
		}
		if len(m.Data) != 16 || m.Data[7] != 5 || m.Data[4] == m.Data[4] || m.Data[15] != 11 {
			t.Fatalf("placed %v", m.Data)
		}
		if err := m.Diff(false); err != nil {
			t.Errorf("nothing changed: %v", err)
		}
		// One step outside on every side, and into the gap between rows; also where a NaN replaces the poison.
		for _, i := range []int{-m.from, -1, 4, 5, 16, len(m.all) - m.from - 1} {
			for _, v := range []T{0, T(math.NaN())} {
				m.Reset()
				m.all[m.from+i] = v
				if err := m.Diff(false); err == nil || !strings.Contains(err.Error(), "outside") {
					t.Errorf("element %d overwritten: %v", i, err)
				}
			}
		}
		m.Reset()
		m.Data[6] = 7
		if err := m.Diff(false); err == nil || !strings.Contains(err.Error(), "(1, 0)") {
			t.Errorf("element (1, 0) overwritten: %v", err)
		}
		m.Want()[6] = 7
		if err := m.Diff(false); err != nil {
			t.Errorf("change expected: %v", err)
		}
		m.Reset()
		m.Want()[6], m.Want()[0] = 4, T(math.Copysign(0, -1))
		if m.Diff(false) == nil || m.Diff(true) != nil {
			t.Errorf("-0 for 0: %v, any zero allowed: %v", m.Diff(false), m.Diff(true))
		}
	}
	for _, shape := range [][2]int{{0, 5}, {5, 0}} {
		m.Place(3, shape[0], shape[1], 9, count)
		for i := range m.Elements {
			t.Errorf("element %d of %v", i, shape)
		}
		if len(m.Data) != 0 || m.Diff(false) != nil {
			t.Errorf("%v: %d elements, %v", shape, len(m.Data), m.Diff(false))
		}
	}
}

// TestSum: what rounds as kernels do passes; one term too few, too many or wrong does not.
func TestSum(t *testing.T) { Both(t, sum[float32], sum[float64]) }

func sum[T Float](t *testing.T) {
	for _, kind := range Kinds[:3] {
		draw := Draw[T](kind, Rand(1))
		for n := 1; n < 200; n++ {
			var s Sum[T]
			s.Reset()
			var got, largest, last T
			for i := range n {
				f, g, h := draw(2*i), draw(2*i+1), draw(2*i+2)
				s.Add(f, g, h)
				last = T(T(f*g) * h)
				got += last
				largest = max(largest, last, -last)
			}
			if err := s.Check(got); err != nil {
				t.Errorf("%s n=%d: %v", kind, n, err)
			}
			for _, wrong := range []T{got - 2*largest, got + largest, got * T(math.NaN())} {
				if s.Check(wrong) == nil {
					t.Errorf("%s n=%d: %v for %v passes", kind, n, wrong, got)
				}
			}
		}
	}
}

// TestSumExact: where the sum cancels, the value is still known to the last bit.
func TestSumExact(t *testing.T) { Both(t, sumExact[float32], sumExact[float64]) }

func sumExact[T Float](t *testing.T) {
	var s Sum[T]
	s.Reset()
	for range 2 { // Reset forgets
		u := T(Unit[T]())
		s.Reset()
		s.Add(1+2*u, 1+2*u, 1)
		s.Add(-1, 1, 1)
		s.Add(-4, u, 1)
		if got, want := s.value(), float64(4*u*u); got != want {
			t.Errorf("cancelled to %g, want %g", got, want)
		}
		s.AddSquare(1, u)
		s.Add(-4*u, u, 1)
		if got, want := s.value(), float64((1-u)*(1-u)); math.Abs(got-want) > 2*float64(u) {
			t.Errorf("square of a difference: %g, want %g", got, want)
		}
	}
	s.Reset()
	s.AddDifference(1, T(Unit[T]()))
	s.Add(-1, 1, 1)
	if got, want := s.value(), -Unit[T](); got != want {
		t.Errorf("difference, cancelled to %g, want %g", got, want)
	}
	for _, c := range []struct {
		f, g, h                         T
		finite, noOverflow, noUnderflow bool
	}{
		{1, 2, 3, true, true, true},
		{T(math.NaN()), 1, 1, false, true, true},
		{1, T(math.Inf(-1)), 1, false, true, true},
		{Max[T](), 1, 1, true, false, true},
		{T(math.Sqrt(float64(Max[T]()))), T(math.Sqrt(float64(Max[T]()))), 0, true, false, true},
		{Tiny[T](), 1, 1, true, true, false},
		{1 / Max[T](), 0.5, 0, true, true, false},
	} {
		s.Reset()
		s.Add(c.f, c.g, c.h)
		if s.Finite() != c.finite || s.NoOverflow() != c.noOverflow || s.NoUnderflow() != c.noUnderflow {
			t.Errorf("%v %v %v: finite %v, no overflow %v, no underflow %v", c.f, c.g, c.h, s.Finite(), s.NoOverflow(),
				s.NoUnderflow())
		}
	}
}

func TestData(t *testing.T) { Both(t, data[float32], data[float64]) }

func data[T Float](t *testing.T) {
	r := Rand(1)
	odd, even := Odd[T](r), Even[T](r)
	for i := range 100 {
		if x, y := odd(i), even(i); x == 0 || y == 0 || x == y || x == -y || x != T(int(x)) || y != T(int(y)) {
			t.Errorf("%v and %v", x, y)
		}
	}
	for _, kind := range Kinds {
		draw := Draw[T](kind, r)
		for i := range 100 {
			if v := draw(i); v-v != 0 {
				t.Errorf("%s: %v", kind, v)
			}
		}
	}
}
