package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

// numbersFile writes a CSV file of rows of numbers, each with what stands behind it.
func numbersFile(t *testing.T, name string, m vec.Matrix[float64], behind func(i int) string) string {
	t.Helper()
	var b strings.Builder
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteString(behind(i) + "\n")
	}
	return text(t, name, b.String())
}

// TestMKLGiven: kernels in files train as the kernels of features do that they are computed from: the same primal
// value, and the same answers of test examples by their kernel values.
func TestMKLGiven(t *testing.T) {
	const n, test, d = 120, 40, 64
	all := samples.Digits[float64]()
	x := all.X.Slice(0, n+test, 0, d)
	vec.Scale(1./16, x.Data[:(n+test)*x.Stride])
	classes := func(from int) func(int) string {
		return func(i int) string { return ",c" + fmt.Sprint(all.Y[from+i]) }
	}
	none := func(int) string { return "" }
	products, distances := vec.NewMatrix[float64](n+test, n), vec.NewMatrix[float64](n+test, n)
	mean := 0.0
	for i := range n + test {
		for j := range n {
			for c := range d {
				products.Row(i)[j] += x.At(i, c) * x.At(j, c)
				distances.Row(i)[j] += (x.At(i, c) - x.At(j, c)) * (x.At(i, c) - x.At(j, c))
			}
			if i < n {
				mean += distances.At(i, j) / n / n
			}
		}
	}
	train := numbersFile(t, "train.csv", x.Slice(0, n, 0, d), classes(0))
	linear := numbersFile(t, "linear.csv", products.Slice(0, n, 0, n), none)
	squares := numbersFile(t, "squares.csv", distances.Slice(0, n, 0, n), none)
	values := vec.NewMatrix[float64](test, 2*n)
	for i := range test {
		copy(values.Row(i), products.Row(n+i))
		vec.ExpScaled(values.Row(i)[n:], -1/mean, distances.Row(n+i))
	}
	exact := numbersFile(t, "exact.csv", x.Slice(n, n+test, 0, d), classes(n))
	given := numbersFile(t, "given.csv", values, classes(n))

	dir := t.TempDir()
	answers := func(test string, args ...string) (primal float64, lines string) {
		model := filepath.Join(dir, fmt.Sprint(len(args))+".dg")
		said := must(t, append(append([]string{"train", "mkl", "-e", "1e-5", "--float64", "--force"}, args...), train,
			model)...)
		if _, err := fmt.Sscan(said[strings.Index(said, "primal ")+7:], &primal); err != nil {
			t.Fatal(err)
		}
		return primal, must(t, "predict", test, model)
	}
	kernels := fmt.Sprintf("linear,gaussian:%v", 1/mean)
	want, wantAnswers := answers(exact, "--kernels", kernels, "--plain", "-B", "-1")
	got, gotAnswers := answers(given, "--matrices", linear, "--distances", squares)
	if d := got - want; d > 3e-5*want || d < -3e-5*want || gotAnswers != wantAnswers {
		t.Errorf("primal %v, want %v; answers\n%swant\n%s", got, want, gotAnswers, wantAnswers)
	}

	both := vec.NewMatrix[float64](test, d+n) // features, then the given values
	for i := range test {
		copy(both.Row(i), x.Row(n+i))
		copy(both.Row(i)[d:], values.Row(i)[n:])
	}
	got, gotAnswers = answers(numbersFile(t, "both.csv", both, classes(n)),
		"--kernels", "linear", "--plain", "-B", "-1",
		"--distances", squares)
	if d := got - want; d > 3e-5*want || d < -3e-5*want || gotAnswers != wantAnswers {
		t.Errorf("one given: primal %v, want %v; answers\n%swant\n%s", got, want, gotAnswers, wantAnswers)
	}

	wide := numbersFile(t, "wide.csv", products.Slice(0, n-1, 0, n), none)
	for args, want := range map[string]string{
		"--matrices " + wide: "119-by-120 numbers, want 120-by-120", "--matrices nothing.csv": "nothing.csv",
		"--distances " + linear:               "want 0",
		"--matrices " + linear + " -B 1":      "without kernels of features",
		"--distances " + squares + " --plain": "without kernels",
	} {
		words := append([]string{"train", "mkl"}, strings.Fields(args)...)
		code, _, said := command(t, append(words, train, "m.dg")...)
		if code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", args, code, want, said)
		}
	}
}

// TestClassPriors: as probable as each other is the default; a list and a file are the same; others make another model.
func TestClassPriors(t *testing.T) {
	sets := topics(t)
	attributes := text(t, "attributes.csv", "1,-1,1,1\n-1,1,1,-1\n1,1,-1,-1\n")
	priors := text(t, "priors.csv", "1\n3\n0.5\n")
	model := func(args ...string) []byte {
		path := filepath.Join(t.TempDir(), "m.dg")
		must(t, append(append([]string{"train", "m3l", "--attributes", attributes}, args...), sets, path)...)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(model(), model("--class-priors", ".25,.25,.25")) {
		t.Error("equal priors are not the default")
	}
	if !bytes.Equal(model("--class-priors", "1,3,.5"), model("--class-priors", priors)) {
		t.Error("a file of priors is not their list")
	}
	if bytes.Equal(model(), model("--class-priors", "1,3,.5")) {
		t.Error("priors make no difference")
	}
	for args, want := range map[string]string{
		"--attributes " + attributes + " --class-priors 1,2":           "2 probabilities for 3 classes",
		"--attributes " + attributes + " --class-priors 1,-2,3":        "probability -2",
		"--attributes " + attributes + " --class-priors " + attributes: "4 columns",
		"--class-priors 1,2,3": "without --attributes",
	} {
		code, _, said := command(t, append(append([]string{"train", "m3l"}, strings.Fields(args)...), sets, "m.dg")...)
		if code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", args, code, want, said)
		}
	}
}
