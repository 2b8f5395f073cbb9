package main

import "github.com/dualgap/dualgap/bench/internal/cases"

// A Case is one kernel at one size and type.
type Case struct {
	cases.Case
	Type string `json:"type"` // f32 or f64
}

// String returns the case's name in the form that benchstat splits into keys.
func (c Case) String() string { return c.Benchmark(c.Type) }

// Work returns how many bytes one call must load and store, every operand counted once for each direction. Of a product
// of matrices it returns the floating-point operations instead, which limit it: GB/s then reads GFLOP/s.
func (c Case) Work() int {
	if c.K > 0 {
		return c.Flops()
	}
	if c.Type == "f64" {
		return c.Bytes(8)
	}
	return c.Bytes(4)
}

// Cases returns all cases of the table.
func Cases() (list []Case) {
	for _, c := range cases.Raced() {
		for _, typ := range []string{"f32", "f64"} {
			if typ == "f64" || cases.Find[float32](c.Name).Ours != nil { // gonum has some in float64 only
				list = append(list, Case{c, typ})
			}
		}
	}
	return list
}
