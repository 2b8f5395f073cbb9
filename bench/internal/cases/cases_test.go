package cases

import (
	"testing"
	"unsafe"
)

// TestTable: names are unique; every kernel has an implementation of ours and a plain one that agree, also far from a
// boundary and with many vectors, and costs.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Table[float64]() {
		c := append(k.cases(k.bench), k.cases(k.peers)...)[0]
		if seen[k.Name] || k.Ours == nil || (k.Plain == nil) != (k.Name == "TopKSimplex") || c.Bytes(8) <= 0 ||
			c.Footprint(8) <= 0 {
			t.Errorf("%s: seen before %v, ours %v, plain %v, %d bytes", k.Name, seen[k.Name], k.Ours != nil,
				k.Plain != nil, c.Bytes(8))
		}
		seen[k.Name] = true
		if l := (Layout{Shift: 3, Many: true}); k.Plain != nil && c.M*c.N*max(c.K, 1) < 1e5 {
			if err := NewOperands[float64](c, l).Try(k.Ours, Expect(c, l, k.Plain)); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
	if k := Find[float32]("MatSVD"); k.Ours != nil || k.Plain != nil || k.Gonum != nil {
		t.Error("MatSVD has loops for float32")
	}
}

// TestAligned: each operand starts as far from a boundary as it shall.
func TestAligned(t *testing.T) {
	for shift := range 17 {
		p := NewOperands[float64](Case{Name: "Ger", M: 3, N: 5}, Layout{Shift: shift})
		for _, v := range [][]float64{p.X, p.Y, p.A.Data, p.Scratch(), p.Ones()} {
			if got := uintptr(unsafe.Pointer(unsafe.SliceData(v))) % 64; got != uintptr(shift*8%64) {
				t.Errorf("shift %d: %d bytes after a boundary", shift, got)
			}
		}
		if len(p.X) != 3 || len(p.Y) != 5 || len(p.A.Data) != 15 || len(p.Ones()) != 3 || p.Ones()[2] != 1 {
			t.Errorf("lengths %d, %d, %d, ones %v", len(p.X), len(p.Y), len(p.A.Data), p.Ones())
		}
	}
}

// GB/s count every operand once when it is read and once when it is written.
func TestBytes(t *testing.T) {
	for _, c := range Measured() {
		if max(c.M, 1)*c.N > 1e6 {
			continue
		}
		p := NewOperands[float64](c, Layout{})
		x, y, a, b := len(p.X), len(p.Y), len(p.A.Data), len(p.B.Data)+len(p.C.Data)
		want, touched := x+y+a+b, x+y+a+b
		switch c.Name {
		case "Scale":
			want = 2 * x
		case "Axpy":
			want = x + 2*y
		case "Sort":
			want = x + 3*y
		case "Ger":
			want = x + y + 2*a
		}
		if got := c.Bytes(8); got != 8*want {
			t.Errorf("%s %v: %d bytes, want %d", c.Name, c, got, 8*want)
		}
		if got := c.Footprint(8); got != 8*touched {
			t.Errorf("%s %v: touches %d bytes, want %d", c.Name, c, got, 8*touched)
		}
	}
}
