package main

import "fmt"

// A Case is one kernel at one size and type. M is 0 where the kernel takes vectors only.
type Case struct {
	Kernel string `json:"kernel"`
	Type   string `json:"type"` // f32 or f64
	M      int    `json:"m,omitempty"`
	N      int    `json:"n"`
}

// String returns the case's name in the form that benchstat splits into keys.
func (c Case) String() string {
	if c.M > 0 {
		return fmt.Sprintf("%s/type=%s/m=%d/n=%d", c.Kernel, c.Type, c.M, c.N)
	}
	return fmt.Sprintf("%s/type=%s/n=%d", c.Kernel, c.Type, c.N)
}

// Bytes returns how many bytes one call must load and store, every operand counted once for each direction.
func (c Case) Bytes() int {
	size := 4
	if c.Type == "f64" {
		size = 8
	}
	m, n := c.M, c.N
	switch c.Kernel {
	case "Dot", "SquaredDistance", "Scale", "Exp", "Log":
		return 2 * n * size
	case "Axpy":
		return 3 * n * size
	case "Ger":
		return (2*m*n + m + n) * size
	case "Gemv", "GemvT":
		return (m*n + m + n) * size
	}
	return n * size
}

// kernels is the table that benchmarks, command and tests share: every kernel with its sizes, {m, n} or {n}.
var kernels = []struct {
	name  string
	sizes [][]int
}{
	{"Dot", long},
	{"Axpy", long},
	{"SquaredDistance", short},
	{"SquaredNorm", short},
	{"Sum", short},
	{"AbsSum", short},
	{"Scale", short},
	{"Exp", functions},
	{"Log", functions},
	{"Ger", matrices},
	{"Gemv", matrices},
	{"GemvT", matrices},
	{"MatMul", [][]int{{512, 512}}},
	{"MatSVD", [][]int{{256, 256}}},
	{"MatEigenSym", [][]int{{256, 256}}},
	{"MatCholesky", [][]int{{512, 512}}},
	{"MatSolve", [][]int{{512, 512}}},
}

var (
	long      = [][]int{{4}, {8}, {15}, {16}, {64}, {100}, {128}, {256}, {784}, {1024}, {4096}, {65536}}
	short     = [][]int{{8}, {16}, {100}, {784}, {1024}, {4096}, {65536}}
	functions = [][]int{{16}, {128}, {1024}, {4096}} // multiples of every vector's length
	matrices  = [][]int{{64, 64}, {10, 784}, {784, 10}, {784, 100}, {4096, 1000}}
)

// Cases returns all cases of the table.
func Cases() (cases []Case) {
	for _, k := range kernels {
		for _, typ := range []string{"f32", "f64"} {
			if _, ok := decompositions[k.name]; ok && typ == "f32" {
				continue // gonum has them in float64 only
			}
			for _, size := range k.sizes {
				c := Case{Kernel: k.name, Type: typ, N: size[len(size)-1]}
				if len(size) == 2 {
					c.M = size[0]
				}
				cases = append(cases, c)
			}
		}
	}
	return cases
}
