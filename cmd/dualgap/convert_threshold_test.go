package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// TestAboveZero: with the offset of texts the sums above 0 are the scores of at least the threshold, and the next
// numbers on both sides of where that begins tell.
func TestAboveZero(t *testing.T) {
	t.Run("float32", aboveZeroOf(math.Nextafter32))
	t.Run("float64", aboveZeroOf(math.Nextafter))
}

func aboveZeroOf[T vec.Float](next func(x, y T) T) func(t *testing.T) {
	return func(t *testing.T) {
		rng := rand.New(rand.NewPCG(61, 62))
		inf := T(math.Inf(1))
		for range 2000 {
			b, at := T(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9)-4))), 0.0
			if rng.IntN(2) == 0 {
				b, at = 0, rng.NormFloat64()
			} else if rng.IntN(9) == 0 {
				b = 0
			}
			c := aboveZero(b, at)
			s := T(at) - b
			for _, s := range []T{s, next(s, inf), next(s, -inf), s + 1, s - 1} {
				if got, want := s+c > 0, float64(s+b) >= at; got != want {
					t.Fatalf("offset %v, threshold %v: %v + %v is above 0: %v, want %v", b, at, s, c, got, want)
				}
			}
		}
		if c := aboveZero(T(2), math.SmallestNonzeroFloat64); c != 2 && T(math.SmallestNonzeroFloat64) > 0 {
			t.Errorf("an offset of 2 and scores above 0: %v", c)
		}
	}
}

// modelText returns what a predictor's file becomes as a text, and its answers to the examples in data.
func modelText(t *testing.T, data, model, to string) (text, answers string) {
	t.Helper()
	must(t, "convert", model, to)
	return contents(t, to), must(t, "predict", data, to)
}

// TestConvertTexts: models of LIBSVM and LIBLINEAR of every type are the same texts again by way of dualgap, and answer
// alike all the way.
func TestConvertTexts(t *testing.T) {
	data := text(t, "data.svm", "1 1:.625 2:.5 4:.25\n-1 1:1.5 3:-.125 5:.375\n1 2:.875 3:1.5\n-1 1:-.25 5:2\n")
	solvers := filepath.Join("..", "..", "solvers")
	for _, path := range []string{"kernel/testdata/c_svc.libsvm", "kernel/testdata/nu_svc.libsvm",
		"kernel/testdata/one_class.libsvm", "kernel/testdata/epsilon_svr.libsvm", "kernel/testdata/nu_svr.libsvm",
		"linear/testdata/oneclass.liblinear"} {
		dir := t.TempDir()
		from, model := filepath.Join(solvers, path), filepath.Join(dir, "m.dg")
		want := must(t, "predict", data, from)
		must(t, "convert", from, model)
		if got := must(t, "predict", data, model); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		first, answers := modelText(t, data, model, filepath.Join(dir, "first.txt"))
		if !sameAnswers(answers, want) {
			t.Errorf("%s written again: %q, want %q", path, answers, want)
		}
		p, err := predictor.Open(from)
		if err != nil {
			t.Fatal(err)
		}
		again, err := predictor.Read(strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if p.Threshold() != again.Threshold() {
			t.Errorf("%s: threshold %v, again %v", path, p.Threshold(), again.Threshold())
		}
		must(t, "convert", "--to", "dualgap", filepath.Join(dir, "first.txt"), model, "--force")
		if second, _ := modelText(t, data, model, filepath.Join(dir, "second.txt")); second != first {
			t.Errorf("%s: %q, again %q", path, first, second)
		}
	}
}

// sameAnswers compares the labels of lines; texts may have another order of sums.
func sameAnswers(a, b string) bool {
	labels := func(s string) (all []string) {
		for line := range strings.Lines(s) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			all = append(all, word[:min(8, len(word))])
		}
		return all
	}
	return strings.Join(labels(a), " ") == strings.Join(labels(b), " ")
}
