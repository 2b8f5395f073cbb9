package main

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// TestInspect: of each kind of file it says what there is.
func TestInspect(t *testing.T) {
	notes := map[string]string{dataset.ScalingNote: "factor 1 1 1\nunit rows\n", "solver": "topk", "settings": "K 1",
		"outcome": "converged", "mine": "7"}
	top := map[string]string{predictor.NoteTask: predictor.Top, "threshold": "1.5", predictor.NotePositive: "spam"}
	lowrank := filepath.Join("..", "..", "solvers", "linear", "testdata", "lowrank32.bin")
	pq := func(name string) string { return filepath.Join("..", "..", "pq", "testdata", name) }
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"linear": {weights(t, notes, "a", "b", "c"), []string{
			"linear model, float32", "class of an example", "features 3", "outputs 3", "names a, b, c",
			"scaling 3 features divided, then each example to length 1", "weights 9, 33.33% of them are not 0",
			"solver topk", "settings K 1", "outcome converged", "mine 7",
		}},
		"ranker": {weights(t, top), []string{"which examples come first",
			"positive spam, where the score is at least 1.5; else all others"}},
		"low rank": {lowrank, []string{"linear model of low rank, float32", "rank "}},
		"kernels": {many(t), []string{"model of many kernels, float64", "support vectors 1 of 2 examples",
			"kernel 1, lines share 0.7500 ███", "kernel 2, bells share 0.2500 █"}},
		"liblinear": {text(t, "m.txt", "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n1 2 \n"),
			[]string{"linear model, float64, from the text"}},
		"state": {state(t), []string{"state of a training", "solver m3l", "settings C 1", "epochs 7", "time 1.5s",
			"best gap 0.25 relative, in epoch 5"}},
		"codebook": {pq("quantizer-8.bin"), []string{"codebook", "dimension 2", "subspaces 2", "bits a subspace 8",
			"bytes a vector 2"}},
		"index":  {pq("index-4.bin"), []string{"index", "vectors 300", "dimension 5"}},
		"matrix": {pq("matrix-8.bin"), []string{"examples compressed", "vectors 300"}},
		"codes":  {pq("codes-8.bin"), []string{"codes", "vectors 300"}},
		"csv": {text(t, "d.csv", "u,v,kind\n1,0,x\n-2,3,y\n0,3,x\n"), []string{
			"data, csv, dense", "examples 3", "features 2", "names u, v", "nonzeros 4, 66.67%",
			"values -2 to 3, all integers", "classes 2 (x: 2, y: 1)",
		}},
		"sets": {text(t, "d.svm", "1,2 1:.5\n1:2\n"),
			[]string{"data, libsvm, sparse", "labels an example 1, from 0 to 2", "labels 2 (1: 1, 2: 1)"}},
		"unlabelled": {text(t, "d.svm", "1:.5 3:1\n1:2\n"), []string{"labels none", "values 0 to 2",
			"nonzeros 3, 50%"}},
	} {
		out := must(t, "inspect", c.file)
		words := strings.Join(strings.Fields(out), " ")
		for _, want := range c.want {
			if !strings.Contains(words, want) {
				t.Errorf("%s:\n%swithout %q", name, out, want)
			}
		}
	}
}

// many is a model of two kernels.
func many(t *testing.T) string {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 2})}
	b, err := bundle.New(1<<20, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Linear{},
		kernel.Gaussian{Gamma: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := bundle.NewCombination(b, []float64{1, 1}, vec.MatrixOf(2, 2, []float64{1, -1, 0, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	m = m.WithNotes(map[string]string{predictor.NoteKernels: "lines\nbells", predictor.NoteShares: ".75 .25"})
	return written(t, "many.dg", func(w io.Writer) error { _, err := m.WriteTo(w); return err })
}

// state is the beginning of a state: what a method saves comes behind it.
func state(t *testing.T) string {
	return written(t, "m.state", func(w io.Writer) error {
		c := container.NewWriter(w, "state", 1)
		c.Strings("what", []string{"m3l", "C 1"})
		c.Bytes("data", []byte{1, 2, 3})
		c.Ints("clck", 7, 6, 5)
		container.Floats(c, "clck", []float64{.1, .2, 42, .25, 1.5})
		_, err := c.Close()
		return err
	})
}

func TestInspectErrors(t *testing.T) {
	uncertified := written(t, "new.state", func(w io.Writer) error {
		c := container.NewWriter(w, "state", 1)
		c.Strings("what", []string{"m3l", "C 1"})
		c.Bytes("data", nil)
		c.Ints("clck", 7, 6, 5)
		container.Floats(c, "clck", []float64{.1, .2, math.Inf(-1), math.Inf(1), 1.5})
		_, err := c.Close()
		return err
	})
	if out := must(t, "inspect", uncertified); !strings.Contains(out, "none certified yet") {
		t.Error(out)
	}
	whole := contents(t, state(t))
	cut := text(t, "cut.state", whole[:len(whole)/2])
	model := contents(t, weights(t, nil, "a"))
	for _, c := range []struct{ path, want string }{
		{"/no/such/file", "/no/such/file"},
		{cut, "cut.state"},
		{text(t, "cut.dg", model[:len(model)-1]), "cut.dg"},
		{text(t, "bad.svm", "1 1:1\n1 x\n"), "bad.svm:2:3"},
	} {
		code, stdout, stderr := command(t, "inspect", c.path)
		if code != failed || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: code %d, %q, %q", c.path, code, stdout, stderr)
		}
	}
}
