package main

import "fmt"

// A Case is one kernel at one size and type. M is 0 where the kernel takes vectors only.
type Case struct {
	Kernel string `json:"kernel"`
	Type   string `json:"type"` // f32 or f64
	M      int    `json:"m,omitempty"`
	N      int    `json:"n"`
	K      int    `json:"k,omitempty"` // of products of matrices: the terms of a sum
}

// String returns the case's name in the form that benchstat splits into keys.
func (c Case) String() string {
	if c.K > 0 {
		return fmt.Sprintf("%s/type=%s/m=%d/n=%d/k=%d", c.Kernel, c.Type, c.M, c.N, c.K)
	}
	if c.M > 0 {
		return fmt.Sprintf("%s/type=%s/m=%d/n=%d", c.Kernel, c.Type, c.M, c.N)
	}
	return fmt.Sprintf("%s/type=%s/n=%d", c.Kernel, c.Type, c.N)
}

// Bytes returns how many bytes one call must load and store, every operand counted once for each direction. Of a product of
// matrices it returns the floating-point operations instead, which limit it: GB/s then reads GFLOP/s.
func (c Case) Bytes() int {
	if p, ok := products[c.Kernel]; ok {
		if p.half {
			return c.M * (c.M + 1) * c.K
		}
		return 2 * c.M * c.N * c.K
	}
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
	case "FilterAbove", "Clip":
		return 2 * n * size
	case "SparseDot", "SparseAxpy":
		return n * (2*size + 4)
	case "SparseGemvT", "SparseGer":
		return n * (m*size + size + 4)
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
	{"Max", searched},
	{"ArgMax", searched},
	{"SumAbove", searched},
	{"FilterAbove", searched},
	{"Clip", searched},
	{"SparseDot", [][]int{{74}, {1000}}},
	{"SparseAxpy", [][]int{{74}, {1000}}},
	{"SparseGemvT", sparse},
	{"SparseGer", sparse},
	{"Sort", sorts},
	{"ArgSort", sorts},
	{"TopK", selections},
	{"Ger", matrices},
	{"Gemv", matrices},
	{"GemvT", matrices},
	{"GemmNN", append(cubes, skinny...)},
	{"GemmTN", append([][]int{{64, 64, 64}, {512, 512, 512}}, skinnyTN...)},
	{"GemmNT", append([][]int{{64, 64, 64}, {512, 512, 512}}, skinny...)},
	{"GemmTT", [][]int{{64, 64, 64}, {512, 512, 512}, {10, 64, 784}}},
	{"GemmTwoWorkers", [][]int{{256, 256, 256}, {1024, 1024, 1024}}},
	{"Scores", [][]int{{8000, 10, 784}, {16384, 1, 4096}, {16384, 10, 4096}, {16384, 100, 4096}}},
	{"Accumulate", [][]int{{784, 10, 8000}, {4096, 1, 16384}, {4096, 10, 16384}, {4096, 100, 16384}}},
	{"Syrk", [][]int{{100, 100, 784}, {1000, 1000, 784}}},
	{"MatMul", [][]int{{512, 512}}},
	{"MatSVD", [][]int{{256, 256}}},
	{"MatEigenSym", [][]int{{256, 256}}},
	{"MatCholesky", [][]int{{512, 512}}},
	{"MatSolve", [][]int{{512, 512}}},
}

var (
	long       = [][]int{{4}, {8}, {15}, {16}, {64}, {100}, {128}, {256}, {784}, {1024}, {4096}, {65536}}
	short      = [][]int{{8}, {16}, {100}, {784}, {1024}, {4096}, {65536}}
	functions  = [][]int{{16}, {128}, {1024}, {4096}} // multiples of every vector's length
	searched   = [][]int{{10}, {100}, {1024}, {65536}}
	sparse     = [][]int{{10, 74}, {26, 74}, {101, 74}} // columns, elements of a sparse vector
	cubes      = [][]int{{16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}}
	skinny     = [][]int{{8, 10, 784}, {8, 100, 784}, {64, 10, 784}, {64, 100, 4096}, {8000, 10, 784}}
	skinnyTN   = [][]int{{784, 10, 8}, {784, 100, 8}, {784, 10, 64}, {4096, 100, 64}, {784, 10, 8000}}
	matrices   = [][]int{{64, 64}, {10, 784}, {784, 10}, {784, 100}, {4096, 1000}}
	sorts      = [][]int{{16}, {100}, {1000}, {10000}, {1000000}}
	selections = [][]int{{10, 1000}, {100, 1000}, {10, 10000}, {100, 10000}, {10, 1000000}, {100, 1000000}} // M of N
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
				if len(size) >= 2 {
					c.M, c.N = size[0], size[1]
				}
				if len(size) == 3 {
					c.K = size[2]
				}
				cases = append(cases, c)
			}
		}
	}
	return cases
}
