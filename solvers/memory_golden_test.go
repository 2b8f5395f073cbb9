package solvers_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
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

const memoryFile = "testdata/memory.txt"

// TestMemoryTold: what trainings on features are told to take is what is committed, to the byte; TestMemory of each
// family measures whether that is true. DUALGAP_DIGESTS=write writes it anew. An int has 64 bits there. Of trainings on
// kernels the parts are left out that depend on the tier and the number of cores.
func TestMemoryTold(t *testing.T) {
	if math.MaxInt < 1<<62 {
		t.Skip("an int has 32 bits")
	}
	got := memoryTold[float32](t) + memoryTold[float64](t)
	if os.Getenv("DUALGAP_DIGESTS") == "write" {
		if err := os.WriteFile(memoryFile, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(memoryFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for k, line := range strings.Split(got, "\n") {
		if k >= len(lines) || line != lines[k] {
			t.Fatalf("line %d of %s: %s", k+1, memoryFile, line)
		}
	}
	if got != string(text) {
		t.Errorf("%s has more lines", memoryFile)
	}
}

// memoryTold has a line for each training, on dense features and on such as few are not 0, with a state and without.
func memoryTold[T vec.Float](t *testing.T) string {
	var all strings.Builder
	add := func(name string, m solvers.Memory, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		fmt.Fprintf(&all, "%T, %s: %d parts, %.0f bytes\n", T(0), name, len(m), m.Bytes())
	}
	without := func(m solvers.Memory) solvers.Memory {
		return slices.DeleteFunc(m, func(p solvers.MemoryPart) bool {
			return strings.HasPrefix(p.What, "rows of K") || strings.HasPrefix(p.What, "products") ||
				p.What == "parts of rows that are worked on"
		})
	}
	save := solvers.Checkpoint{Save: func(func(io.Writer) error) error { return nil }}
	const n, d = 5000, 40
	rng := rand.New(rand.NewPCG(4, 4))
	full := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	few := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	y, two, sets, positive := make([]int, n), make([]int, n), make([][]int, n), make([]bool, n)
	targets, many := make([]float64, n), make([]int, n)
	for i := range n {
		many[i] = i * 7 % 90
		y[i], two[i], sets[i], positive[i], targets[i] = i%7, i%2, []int{i % 7, 7 + i%3}, i%5 == 0, float64(i%3)
		for j := range d {
			full.Row(i)[j] = T(rng.Float64())
		}
		few.Row(i)[i%d], few.Row(i)[(i*i+1)%d] = 1, 2
	}
	prior := vec.NewMatrix[float64](d, 7)
	kernels, bundles := map[int]*kernel.Matrix[T]{}, map[int]*bundle.Bundle[T]{}
	for _, n := range []int{100, n} {
		x := &dataset.Dense[T]{Matrix: full.Slice(0, n, 0, d)}
		kernels[n] = must(kernel.New(x, kernel.Gaussian{Gamma: 1}, 1<<20))
		groups := []bundle.Group[T]{{X: x, Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}}}}
		if n == 100 {
			groups = append(groups, bundle.Group[T]{Matrix: must(kernel.FromDistances(vec.NewMatrix[T](n, n), 1))})
		}
		bundles[n] = must(bundle.New(1<<20, groups...))
	}
	wide := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](60, 3000)}
	rare := must((&dataset.Dense[T]{Matrix: few.Matrix}).CSR())
	for k := range wide.Data {
		wide.Data[k] = T(k % 5)
	}
	scattered := &dataset.CSR[T]{Rows: 60, Cols: 1 << 17, Ptr: []int{0}}
	for i := range scattered.Rows {
		for j := range 1 + i*i%31 {
			scattered.Idx, scattered.Val = append(scattered.Idx, int32(j*4000+i)), append(scattered.Val, 1)
		}
		scattered.Ptr = append(scattered.Ptr, len(scattered.Idx))
	}
	shifted := must(full.CSR()) // some columns are far from 0, of some half is stored
	for k, j := range shifted.Idx {
		if shifted.Val[k] += T(j%4) / 2; j > 30 && rng.IntN(2) == 0 {
			shifted.Val[k] = 0
		}
	}
	square, given := vec.NewMatrix[float64](7, 7), must(kernel.FromDistances(vec.NewMatrix[T](100, 100), 1))
	for l := range 7 {
		square.Row(l)[l] = 1
	}
	for _, workers := range []int{1, 3} {
		for saved, c := range []solvers.Checkpoint{{}, save} {
			of := func(name string) string { return fmt.Sprintf("%s, workers %d, states %d", name, workers, saved) }
			for _, p := range []topk.Problem[T]{{X: full, Y: y}, {X: few, Y: y}} {
				m, err := p.Memory(topk.Config{Lambda: .1, Workers: workers, Checkpoint: c})
				add(of("topk"), m, err)
			}
			for _, p := range []m3l.Problem[T]{{X: full, Sets: sets}, {X: few, Sets: sets}} {
				m, err := p.Memory(m3l.Config{Workers: workers, Checkpoint: c})
				add(of("m3l"), m, err)
			}
			for _, p := range []svm.Problem[T]{{X: full, Y: two}, {X: few, Y: two},
				{X: full, Targets: targets}, {X: full, OneClass: true}} {
				m, err := p.Memory(svm.Config{Workers: workers, Checkpoint: c})
				add(of("svm"), m, err)
			}
			for _, p := range []toprank.Problem[T]{{X: full, Positive: positive}, {X: few, Positive: positive},
				{X: full, Positive: positive, Groups: y}} {
				m, err := p.Memory(toprank.Config{Workers: workers, Checkpoint: c})
				add(of("toprank"), m, err)
			}
			for _, p := range []tracenorm.Problem[T]{{X: full, Y: y}, {X: few, Y: y}, {X: full, Y: y, Prior: prior}} {
				m, err := p.Memory(tracenorm.Config{Lambda1: .1, Workers: workers, Checkpoint: c})
				add(of("tracenorm"), m, err)
			}
			for _, p := range []l1.Problem[T]{{X: full, Y: y}, {X: few, Y: y}} {
				m, err := p.Memory(l1.Config{Workers: workers, Checkpoint: c})
				add(of("l1"), m, err)
			}
			for j, x := range []design.Matrix[T]{full, rare, wide, scattered, shifted} { // and what else there may be
				n, d := x.Dims()
				y, two, positive := y[:n], two[:n], positive[:n]
				named := func(name string) string { return fmt.Sprintf("%s, features %d", of(name), j) }
				first := topk.Problem[T]{X: x, Y: y, Prior: vec.NewMatrix[float64](d, 7)}
				first.Prior.Data[3] = 1
				m, err := first.Memory(topk.Config{Lambda: .1, Workers: workers, Checkpoint: c, BlockSize: 64})
				add(named("topk, prior"), m, err)
				for _, loss := range []topk.Loss{topk.TopKHinge, topk.SquaredHinge} {
					for _, epochs := range []int{1, 100} { // the last ones are extrapolated
						m, err = topk.Problem[T]{X: x, Y: many[:n]}.Memory(topk.Config{Loss: loss, Lambda: .1,
							Workers: workers, Checkpoint: c, Epochs: epochs})
						add(named(fmt.Sprintf("topk, 90 classes, %v, %d epochs", loss, epochs)), m, err)
					}
				}
				if d <= 3000 { // more takes long on emulated CPUs
					first = topk.Problem[T]{X: x, Y: many[:n], Prior: vec.NewMatrix[float64](d, 90)}
					first.Prior.Data[3] = 1
					m, err = first.Memory(topk.Config{Loss: topk.SquaredHinge, Lambda: .1, Workers: workers,
						Checkpoint: c})
					add(named("topk, 90 classes, prior"), m, err)
				}
				p := m3l.Problem[T]{X: x, Sets: one(y), R: square}
				m, err = p.Memory(m3l.Config{Workers: workers, Checkpoint: c, Bias: 1})
				add(named("m3l, R, bias"), m, err)
				p.R, p.P, p.Ridge = vec.Matrix[float64]{}, vec.NewMatrix[float64](2, 7), 1
				m, err = p.Memory(m3l.Config{Workers: workers, Checkpoint: c, Loss: m3l.Logistic})
				add(named("m3l, P"), m, err)
				for _, a := range []svm.Algorithm{svm.Ascent, svm.Newton} {
					m, err = svm.Problem[T]{X: x, Y: two}.Memory(svm.Config{Algorithm: a, Offset: true,
						Workers: workers, Checkpoint: c})
					add(named(fmt.Sprint("svm, offset, ", a)), m, err)
				}
				m, err = svm.Problem[T]{X: x, OneClass: true}.Memory(svm.Config{Workers: workers, Checkpoint: c})
				add(named("one class"), m, err)
				rank := toprank.Problem[T]{X: x, Positive: positive}
				for _, k := range []*kernel.Matrix[T]{nil, kernels[100], given} {
					if rank.Groups = nil; k != nil {
						rank.X, rank.Kernel, rank.Positive = nil, k, positive[:min(n, 100)]
					}
					if k != nil && n < 100 {
						break
					}
					m, err = rank.Memory(toprank.Config{Method: toprank.PatMat, Tau: .2, Workers: workers,
						Checkpoint: c})
					add(named(fmt.Sprint("patmat, kernel ", k != nil)), without(m), err)
					rank.Groups = y[:len(rank.Positive)]
					m, err = rank.Memory(toprank.Config{Workers: workers, Checkpoint: c})
					add(named(fmt.Sprint("queries, kernel ", k != nil)), without(m), err)
				}
				if saved == 0 {
					m, err = toprank.Classes[T]{X: x, Y: y}.Memory(toprank.Config{Workers: workers})
					add(named("classes"), without(m), err)
				}
				for _, bias := range []float64{0, 1} {
					m, err = tracenorm.Problem[T]{X: x, Y: y}.Memory(tracenorm.Config{Lambda1: .1, Rank: 2, Bias: bias,
						Workers: workers, Checkpoint: c})
					add(named("tracenorm, rank"), m, err)
					for _, classes := range [][]int{y, two} {
						m, err = l1.Problem[T]{X: x, Y: classes}.Memory(l1.Config{Workers: workers, Checkpoint: c,
							Bias: bias, Loss: l1.Logistic})
						add(named("l1"), m, err)
					}
				}
			}
			for _, n := range []int{100, n} {
				k := kernels[n]
				m, err := toprank.Problem[T]{Kernel: k, Positive: positive[:n], Groups: y[:n]}.Memory(toprank.Config{
					Workers: workers, Checkpoint: c})
				add(of(fmt.Sprint("queries on a kernel of ", n)), without(m), err)
				named := func(name string) string { return fmt.Sprintf("%s on a kernel of %d", of(name), n) }
				m, err = topk.Problem[T]{Kernel: k, Y: y[:n]}.Memory(topk.Config{Lambda: .1, Workers: workers,
					Checkpoint: c})
				add(named("topk"), without(m), err)
				m, err = m3l.Problem[T]{Kernel: k, Sets: sets[:n]}.Memory(m3l.Config{Workers: workers, Checkpoint: c})
				add(named("m3l"), without(m), err)
				m, err = svm.Problem[T]{Kernel: k, Y: two[:n]}.Memory(svm.Config{Workers: workers, Checkpoint: c})
				add(named("svm"), without(m), err)
				m, err = toprank.Problem[T]{Kernel: k, Positive: positive[:n]}.Memory(toprank.Config{Workers: workers,
					Checkpoint: c})
				add(named("toprank"), without(m), err)
				m, err = mkl.Problem[T]{Bundle: bundles[n], Y: y[:n]}.Memory(mkl.Config{Workers: workers,
					Checkpoint: c})
				add(named("mkl"), without(m), err)
			}
		}
	}
	return all.String()
}

// one returns sets of a label each.
func one(y []int) (sets [][]int) {
	for _, c := range y {
		sets = append(sets, []int{c})
	}
	return sets
}
