package dualgap_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// must returns v, or ends the program where there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func Example() {
	path := filepath.Join(must(os.MkdirTemp("", "")), "model.dg")
	defer os.RemoveAll(filepath.Dir(path))

	train, test := samples.FashionMNIST[float32]() // 3000 and 1000 images of clothing, 10 classes
	r := must(topk.Fit(ctx, train.X, train.Y, topk.Config{K: 3, Lambda: .01}))
	// r.Outcome: "converged after ...: primal ..., dual ..., relative gap 7.5e-04"
	if err := solvers.WriteFile(path, r.Model); err != nil { // the old file or the new one, whole
		log.Fatal(err)
	}
	m := must(model.Read[float32](must(os.Open(path))))
	guesses := must(solvers.TopK(m, test.X, 3, 0)) // three for each image, by all cores
	fmt.Printf("right at the first, second, third guess: %.2f\n", must(metrics.TopKRanked(guesses, test.Y, 3)))
	// Output: right at the first, second, third guess: [0.76 0.93 0.98]
}

func Example_predict() {
	file, row := new(bytes.Buffer), []float64{9, 6}
	w := vec.MatrixOf(2, 2, []float32{-1, 1, 1, -1})
	must(must(linear.New(w, nil, []string{"apple", "pear"})).WriteTo(file))

	p := must(predictor.Read(file)) // or Open, of a path: with the names and the scaling that the file has
	q := must(p.Predict(row))       // sparse, by the features' names, or many at once too; from any goroutine
	fmt.Println(q.Label, q.Scores)
	// Output: pear [-3 3]
}

func Example_vectors() {
	a := vec.MatrixOf(2, 3, []float32{1, 2, 3, 4, 5, 6})
	c := vec.NewMatrix[float32](2, 2)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, a, 0, c) // C = A Aᵀ
	vec.Sort(c.Data)
	fmt.Println(vec.Dot(a.Row(0), a.Row(1)), vec.ArgMax(a.Row(1)), c.Data)
	// Output: 32 2 [14 32 32 77]
}

func Example_gonum() {
	gonumblas.Use() // once: gonum's mat, stat and optimize now compute on these kernels
	a := mat.NewDense(3, 2, []float64{3, 0, 0, 4, 0, 0})
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	fmt.Printf("%.1f\n", svd.Values(nil))
	// Output: [4.0 3.0]
}

func Example_search() {
	train, test := samples.FashionMNIST[float32]()
	x, query := train.X.Matrix, test.X.Row(0)

	q := must(pq.Train(ctx, x, pq.Config{M: 16, NBits: 4})) // 784 numbers become 8 bytes
	index := must(pq.NewIndex(q, pq.L2))
	if err := index.Add(x, 0); err != nil {
		log.Fatal(err)
	}
	found := must(index.Search(nil, query, pq.Search{K: 1, Vector: pq.Rows(x)})) // by codes, then by the images
	fmt.Println(train.Classes[train.Y[found[0].ID]])
	// Output: Ankle boot
}

// TestSnippets: what README and the tutorials show in Go is part of an Example, as it stands there.
func TestSnippets(t *testing.T) {
	examples := ""
	for _, name := range []string{"readme_test.go", "docs_test.go", "solvers/m3l/example_liblinear_test.go"} {
		examples += strings.ReplaceAll(read(t, name), "\n\t", "\n")
	}
	for _, page := range pages(t) {
		for i, block := range strings.Split(read(t, page), "```go\n")[1:] {
			code, _, _ := strings.Cut(block, "```")
			if !strings.Contains(examples, "\n"+code) {
				t.Errorf("%s: Go block %d is in no Example:\n%s", page, i+1, code)
			}
		}
	}
}

// TestSketch: the sketch of a family in CONTRIBUTING.md is the one that a test trains.
func TestSketch(t *testing.T) {
	_, block, _ := strings.Cut(read(t, "CONTRIBUTING.md"), "```go\n")
	code, _, _ := strings.Cut(block, "```")
	if lines := strings.Count(code, "\n"); lines < 40 || lines > 80 {
		t.Errorf("%d lines", lines)
	}
	if !strings.Contains(read(t, "solvers/internal/familytest/sixth_test.go"), "\n"+code) {
		t.Error("it is not the text in solvers/internal/familytest/sixth_test.go")
	}
}

var (
	link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	code = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
)

// TestLinks: what the pages link to is there.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, page), "code"), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// pages are README.md and all of docs.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md"}
	err := filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Skip(err)
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Skip(err)
	}
	return string(text)
}
