package solvers_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// stepsFile has a line for each training of TestSteps: its name, its digest in float32 and, but for levels, in float64.
const stepsFile = "testdata/steps.txt"

// TestSteps: many small trainings, of every loss, storage, option and way, take the committed steps: the digest is of
// what each epoch tells, of the outcome, the model and the dual variables. A change of a tolerance, an order or a size
// that leaves answers right is seen here and nowhere else. TestDigests has the promise of all platforms, on few
// trainings; these run where the tier avx2 and Go's own code of amd64 do, and not on emulated CPUs, which are slow.
// DUALGAP_DIGESTS=write writes the file anew.
func TestSteps(t *testing.T) {
	if prove.Platform() != "amd64" || !slices.Contains(cpu.Tiers(), cpu.AVX2) || prove.Emulated() {
		t.Skip("steps are committed for the tier avx2 of amd64, as Go compiles for v1 and v2")
	}
	write := os.Getenv("DUALGAP_DIGESTS") == "write"
	var committed []string
	if text, err := os.ReadFile(stepsFile); err == nil && !write {
		committed = slices.Collect(strings.Lines(string(text)))
	} else if !write {
		t.Fatal(err)
	}
	var text strings.Builder
	groups := 0
	prove.Tiers(func(tier cpu.Tier) {
		for _, g := range stepsGroups(tier) {
			t.Run(g.name, func(t *testing.T) {
				var lines []string
				for _, line := range committed {
					if strings.HasPrefix(line, g.name+", ") {
						lines = append(lines, line)
					}
				}
				narrow, wide := g.narrow(t, lines), g.wide(t, lines)
				groups++
				for k, l := range narrow {
					fmt.Fprintf(&text, "%s: %s", l.name, l.digest)
					if wide != nil {
						fmt.Fprintf(&text, " %s", wide[k].digest)
					}
					fmt.Fprintln(&text)
				}
			})
		}
	})
	if all := len(stepsGroups(cpu.AVX2)); write && groups < all {
		t.Fatalf("%d of %d groups: they are written together", groups, all)
	} else if write {
		if err := os.WriteFile(stepsFile, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A stepsGroup has trainings in both types.
type stepsGroup struct {
	name         string
	narrow, wide func(t *testing.T, committed []string) []stepsLine
}

// stepsGroups are the groups of trainings, on one tier.
func stepsGroups(tier cpu.Tier) (all []stepsGroup) {
	if tier != cpu.AVX2 {
		return nil
	}
	add := func(name string, narrow func(*steps[float32]), wide func(*steps[float64])) {
		all = append(all, stepsGroup{name, stepsOf(name, narrow), stepsOf(name, wide)})
	}
	add("topk", (*steps[float32]).topk, (*steps[float64]).topk)
	add("m3l", (*steps[float32]).m3l, (*steps[float64]).m3l)
	add("svm", (*steps[float32]).svm, (*steps[float64]).svm)
	add("one class", (*steps[float32]).oneClass, (*steps[float64]).oneClass)
	add("toprank", (*steps[float32]).toprank, (*steps[float64]).toprank)
	add("tracenorm", (*steps[float32]).tracenorm, (*steps[float64]).tracenorm)
	add("l1", (*steps[float32]).l1, (*steps[float64]).l1)
	add("mkl", (*steps[float32]).mkl, (*steps[float64]).mkl)
	add("kernels", (*steps[float32]).kernels, (*steps[float64]).kernels)
	all = append(all, stepsGroup{"levels", stepsOf("levels", (*steps[float32]).levels),
		func(*testing.T, []string) []stepsLine { return nil }}) // they take long: of one type
	all = append(all, stepsGroup{"damaged states", stepsOf("damaged states", (*steps[float64]).damaged),
		func(*testing.T, []string) []stepsLine { return nil }})
	add("states", (*steps[float32]).states, (*steps[float64]).states)
	add("others", (*steps[float32]).others, (*steps[float64]).others)
	add("sparse", (*steps[float32]).sparse, (*steps[float64]).sparse)
	add("wide", (*steps[float32]).wide, (*steps[float64]).wide)
	add("edge", (*steps[float32]).edge, (*steps[float64]).edge)
	add("changes", (*steps[float32]).changes, (*steps[float64]).changes)
	add("workers", (*steps[float32]).workers, (*steps[float64]).workers)
	add("occupied", (*steps[float32]).occupied, (*steps[float64]).occupied)
	add("given", (*steps[float32]).given, (*steps[float64]).given)
	add("interior", (*steps[float32]).interior, (*steps[float64]).interior)
	add("paths", (*steps[float32]).paths, (*steps[float64]).paths)
	add("calibrations", (*steps[float32]).calibrations, (*steps[float64]).calibrations)
	return all
}

// steps collects what the trainings of a group did in one type.
type steps[T vec.Float] struct {
	t         *testing.T
	group     string
	committed []string // lines of the file; none: they are written
	lines     []stepsLine
	differ    int
}

// A stepsLine is a training's name and digest.
type stepsLine struct{ name, digest string }

// stepsOf returns a function that trains a group, and fails where lines differ from those that are committed.
func stepsOf[T vec.Float](group string, train func(*steps[T])) func(*testing.T, []string) []stepsLine {
	return func(t *testing.T, committed []string) []stepsLine {
		s := &steps[T]{t: t, group: group, committed: committed}
		train(s)
		if os.Getenv("DUALGAP_DIGESTS") != "write" && len(s.lines) != len(committed) {
			t.Errorf("%s: %d trainings, and %d lines of %s", group, len(s.lines), len(committed), stepsFile)
		}
		return s.lines
	}
}

// line ends a training: it is compared with the line that is committed.
func (s *steps[T]) line(name string, h trace) {
	s.t.Helper()
	name = s.group + ", " + name
	k, digest := len(s.lines), hex.EncodeToString(h.Sum(nil)[:4])
	s.lines = append(s.lines, stepsLine{name, digest})
	if len(s.committed) == 0 {
		return
	}
	want, digests, _ := strings.Cut(s.committed[min(k, len(s.committed)-1)], ": ")
	if both := strings.Fields(digests); want != name ||
		prove.IsF32[T]() && both[0] != digest || !prove.IsF32[T]() && both[len(both)-1] != digest {
		s.t.Errorf("%s: steps %s in %T, want line %d of these in %s", name, digest, T(0), k+1, stepsFile)
		if s.differ++; s.differ == 8 {
			s.t.FailNow()
		}
	}
}

// A trace is what a training tells while it lasts.
type trace struct{ hash.Hash }

func newTrace() trace { return trace{sha256.New()} }

// progress notes an epoch.
func (h trace) progress(p solvers.Progress) { familytest.Noted(h)(p) }

// add ends a training.
func (s *steps[T]) add(name string, h trace, r any, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(name, err)
	}
	fmt.Fprint(h, familytest.Bits(s.t, r))
	s.line(name, h)
}

// A trainer is a family's Problem.
type trainer[C, R any] interface {
	Fit(ctx context.Context, c C) (R, error)
	Resume(ctx context.Context, state io.Reader, c C) (R, error)
}

// stopped ends a training at the middle one of its looks at the context, and notes the state, but for the time in it,
// and what a training that resumes from it becomes.
func stopped[T vec.Float, C, R any](s *steps[T], name string, p trainer[C, R],
	config func(solvers.Checkpoint, func(solvers.Progress)) C) {
	s.t.Helper()
	h := newTrace()
	var state bytes.Buffer
	save := solvers.Checkpoint{Every: time.Hour, Save: func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}}
	looks := statetest.Soon(1 << 60)
	must(p.Fit(looks, config(save, nil)))
	_, err := p.Fit(statetest.Soon((1<<60-looks.Left())/2), config(save, nil))
	if err != nil && !errors.Is(err, context.Canceled) {
		s.t.Fatal(name, err)
	}
	for _, section := range statetest.Steps(state.Bytes()) {
		if section.Tag != "clck" {
			h.Write(section.Body(state.Bytes()))
		}
	}
	if state.Len() == 0 {
		s.t.Fatalf("%s: no state: %v", name, err)
	}
	r, err := p.Resume(context.Background(), &state, config(solvers.Checkpoint{}, h.progress))
	s.add(name, h, r, err)
}

// examples are drawn for all families: whole eighths, a feature of the class one larger.
type examples[T vec.Float] struct {
	x         *dataset.Dense[T]
	y, two    []int
	sets      [][]int
	positive  []bool
	targets   []float64
	weights   []float64 // some are 0
	queries   []int
	n, d, all int
}

func drawExamples[T vec.Float](n, d, classes int) examples[T] {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	e := examples[T]{x: &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}, n: n, d: d, all: classes}
	for i := range n {
		c := rng.IntN(classes)
		for j := range d {
			e.x.Row(i)[j] = T(rng.IntN(17)-8) / 8
		}
		e.x.Row(i)[c%d] += 1.5
		e.y, e.two = append(e.y, c), append(e.two, c%2)
		e.sets = append(e.sets, [][]int{{c}, {c, (c + 1) % max(classes, 2)}, {}}[i%3])
		e.positive = append(e.positive, c == 0)
		e.targets = append(e.targets, float64(2*c-1)/2+float64(rng.IntN(5))/8)
		e.weights = append(e.weights, []float64{1, .5, 2, 0}[rng.IntN(4)])
		e.queries = append(e.queries, i/7)
	}
	return e
}

// far returns the features moved away from 0.
func (e examples[T]) far() *dataset.Dense[T] {
	x := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](e.n, e.d)}
	for k, v := range e.x.Data {
		x.Data[k] = v + 6
	}
	return x
}

// storages are the examples dense, sparse, and with half of their numbers 0.
func (e examples[T]) storages() []storage[T] {
	half := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](e.n, e.d)}
	for k, v := range e.x.Data {
		if k%2 == 0 || v > 1 {
			half.Data[k] = v
		}
	}
	return []storage[T]{{"dense", e.x}, {"sparse", thinned(e.x)}, {"half", must(half.CSR())}}
}

type storage[T vec.Float] struct {
	name string
	x    design.Matrix[T]
}

// quarterMatrix is a prior of quarters.
func quarterMatrix(rows, cols int) vec.Matrix[float64] {
	w := vec.NewMatrix[float64](rows, cols)
	for k := range w.Data {
		w.Data[k] = float64((7*k)%9-4) / 4
	}
	return w
}
