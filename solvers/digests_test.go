package solvers_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// digestsFile has a line for each platform, a tier of an architecture and a type of numbers, of the digests of all
// trainings. DUALGAP_DIGESTS=write writes the lines of this machine's platforms anew, which is what a change of a
// solver's steps asks for; .ci/run digests writes the lines of all that can be emulated here.
const digestsFile = "testdata/digests.txt"

// TestDigests: on every CPU a training ends with the bits that are committed for its architecture and tier: the model's
// file, the certificate and the number of visits, by features and by a kernel.
func TestDigests(t *testing.T) {
	want, err := readDigests()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	add := func(form string) {
		tier, _, _ := strings.Cut(form, " ")
		for name, line := range map[string]string{
			"float32": digests[float32](t), "float64": digests[float64](t),
		} {
			key := fmt.Sprintf("%s %s %s", prove.Platform(), tier, name)
			if before, ok := got[key]; ok && before != line {
				t.Errorf("%s, %s: the digests of a tier and of its forms differ:\n%s\n%s", form, name, before, line)
			}
			got[key] = line
		}
	}
	prove.Forms(add)
	prove.Tiers(func(tier cpu.Tier) {
		cpu.SplitStores = true
		defer func() { cpu.SplitStores = false }()
		add(tier.String() + " with split stores")
	})
	if os.Getenv("DUALGAP_DIGESTS") == "write" {
		maps.Copy(want, got)
		if err := writeDigests(want); err != nil {
			t.Fatal(err)
		}
	}
	for key, line := range got {
		if want[key] == "" {
			t.Logf("%s: no digests are committed", key)
		} else if line != want[key] {
			t.Errorf("%s: digests\n%s, want\n%s\nof %s", key, line, want[key], strings.Join(trained, ", "))
		}
	}
}

// trained names the trainings, in the order of their digests.
var trained = []string{"topk", "topk kernel", "m3l", "m3l kernel", "svm", "svm kernel", "svm targets", "toprank",
	"toprank kernel", "tracenorm", "l1", "mkl", "svm sparse", "svm sparse squared"}

// digests trains all on one small problem, whose numbers are whole eighths, and returns their digests.
func digests[T vec.Float](t *testing.T) string {
	t.Helper()
	x, y := digestData[T]()
	sets, positive, two, targets := make([][]int, len(y)), make([]bool, len(y)), make([]int, len(y)),
		make([]float64, len(y))
	for i, c := range y {
		sets[i], positive[i], two[i], targets[i] = []int{c, 3 + i%2}, c == 0, c/2, float64(2*c-1)/2
	}
	gaussian := must(kernel.New(x, kernel.Gaussian{Gamma: .125}, 1<<20))
	wide := must(bundle.New(1<<20, bundle.Group[T]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .125},
		kernel.Linear{}}}))
	ctx := context.Background()
	const seed = 7
	var all []string
	add := func(m io.WriterTo, o solvers.Outcome) { all = append(all, digest(t, m, o)) }
	for _, p := range []topk.Problem[T]{{X: x, Y: y}, {Kernel: gaussian, Y: y}} {
		r := must(p.Fit(ctx, topk.Config{K: 2, Lambda: .05, Seed: seed, Workers: 1}))
		add(r, r.Outcome)
	}
	for _, p := range []m3l.Problem[T]{{X: x, Sets: sets}, {Kernel: gaussian, Sets: sets}} {
		r := must(p.Fit(ctx, m3l.Config{C: .5, Seed: seed, Workers: 1}))
		add(r, r.Outcome)
	}
	for _, p := range []svm.Problem[T]{{X: x, Y: two}, {Kernel: gaussian, Y: two}, {X: x, Targets: targets}} {
		r := must(p.Fit(ctx, svm.Config{C: 1, Seed: seed, Workers: 1}))
		add(r, r.Outcome)
	}
	for _, p := range []toprank.Problem[T]{{X: x, Positive: positive}, {Kernel: gaussian, Positive: positive}} {
		r := must(p.Fit(ctx, toprank.Config{K: 3, C: 1, Seed: seed, Workers: 1}))
		add(r, r.Outcome)
	}
	low := must(tracenorm.Problem[T]{X: x, Y: y}.Fit(ctx, tracenorm.Config{Lambda1: .05, Seed: seed, Workers: 1}))
	add(low, low.Outcome)
	thin := must(l1.Problem[T]{X: x, Y: y}.Fit(ctx, l1.Config{C: 1, Seed: seed, Workers: 1}))
	add(thin, thin.Outcome)
	many := must(mkl.Problem[T]{Bundle: wide, Y: y}.Fit(ctx, mkl.Config{P: 1.5, C: 1, Seed: seed, Workers: 1}))
	add(many, many.Outcome)
	for _, loss := range []svm.Loss{svm.Hinge, svm.SquaredHinge} {
		r := must(svm.Problem[T]{X: thinned(x), Y: two}.Fit(ctx, svm.Config{C: 1, Loss: loss, Algorithm: svm.Ascent,
			Seed: seed, Workers: 1}))
		add(r, r.Outcome)
	}
	return strings.Join(all, " ")
}

// must returns r, or panics with an error of these trainings, which have none.
func must[R any](r R, err error) R {
	if err != nil {
		panic(err)
	}
	return r
}

// digestData has 60 examples of 3 classes.
func digestData[T vec.Float]() (*dataset.Dense[T], []int) {
	rng, y := rand.New(rand.NewPCG(3, 9)), make([]int, 60)
	x := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](len(y), 9)}
	for i := range y {
		y[i] = rng.IntN(3)
		for j := range x.Cols {
			x.Row(i)[j] = T(rng.IntN(17)-8) / 8
		}
		x.Row(i)[y[i]]++
	}
	return x, y
}

// thinned returns x, sparse, without two of three of its numbers.
func thinned[T vec.Float](x *dataset.Dense[T]) *dataset.CSR[T] {
	y := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](x.Rows, x.Cols)}
	for i := range x.Rows {
		for j := i % 3; j < x.Cols; j += 3 {
			y.Row(i)[j] = x.Row(i)[j]
		}
	}
	return must(y.CSR())
}

// digest is the beginning of the SHA-256 of a model's file and of how its training ended.
func digest(t *testing.T, m io.WriterTo, o solvers.Outcome) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{o.Certificate.Primal, o.Certificate.Dual, int64(o.Visits), int64(o.Epochs)} {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:4])
}

// readDigests returns the digests of each platform.
func readDigests() (map[string]string, error) {
	text, err := os.ReadFile(digestsFile)
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, of, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			all[key] = of
		}
	}
	return all, err
}

func writeDigests(all map[string]string) error {
	text := "# platform, tier, type: " + strings.Join(trained, ", ") + "\n"
	for _, key := range slices.Sorted(maps.Keys(all)) {
		text += key + ": " + all[key] + "\n"
	}
	return os.WriteFile(digestsFile, []byte(text), 0o666)
}
