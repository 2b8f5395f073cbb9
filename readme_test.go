package dualgap_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
)

func Example() {
	train, test := samples.FashionMNIST[float32]() // 3000 and 1000 images of clothing, 10 classes
	r, err := topk.Fit(context.Background(), train.X, train.Y, topk.Config{K: 3, Lambda: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	log.Println(r.Outcome) // the optimum lies between dual and primal

	guesses, err := solvers.TopK(r, test.X, 3, 0) // by all cores
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.TopKRanked(guesses, test.Y, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("right at the first guess %.0f%%, among three %.0f%%\n", 100*accuracy[0], 100*accuracy[2])
	// Output: right at the first guess 76%, among three 98%
}

// TestReadme: the program in the README is the Example above, and its imports are those that it needs.
func TestReadme(t *testing.T) {
	readme := read(t, "README.md")
	_, program, ok := strings.Cut(readme, "```go\n")
	program, _, ok2 := strings.Cut(program, "```\n")
	if !ok || !ok2 {
		t.Fatal("README.md holds no Go program")
	}
	here := read(t, "readme_test.go")
	_, body, _ := strings.Cut(program, "func main() {")
	_, want, _ := strings.Cut(here, "func Example() {")
	want, _, _ = strings.Cut(want, "\n\t// Output:")
	if strings.TrimSuffix(body, "\n}\n") != want {
		t.Errorf("README.md shows\n%s\n}\nwhere the Example is\n%s\n}", strings.TrimSuffix(body, "\n}\n"), want)
	}
	for _, line := range strings.Split(program, "\n") {
		if strings.HasPrefix(line, "\t\"") && !strings.Contains(here, line) {
			t.Errorf("README.md imports %s, the Example does not", strings.TrimSpace(line))
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Skip(err)
	}
	return string(text)
}
