package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// rare is a CSV file of examples on a line far from 0, of which one in a hundred is positive, and is larger.
func rare(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 1000 {
		v, class := 2+.2*rng.NormFloat64(), "none"
		if i%100 == 0 {
			v, class = v+2, "one"
		}
		fmt.Fprintf(&b, "%.4f,%s\n", v, class)
	}
	return text(t, "rare.csv", b.String())
}

// meanRecall returns the mean recall of a model on a file, by evaluate.
func meanRecall(t *testing.T, file, path string) (recall float64) {
	t.Helper()
	for line := range strings.Lines(must(t, "evaluate", file, path)) {
		if n, _ := fmt.Sscanf(line, "mean recall %g", &recall); n == 1 {
			return recall
		}
	}
	t.Fatal("no mean recall")
	return 0
}

// TestIntercept: every family tells a few examples behind a threshold from the rest, unless -B -1 forbids the
// threshold.
func TestIntercept(t *testing.T) {
	rare := rare(t)
	path := filepath.Join(t.TempDir(), "model.dg")
	for _, args := range []string{
		"topk -c 100", "m3l -c 100", "m3l -c 100 --loss squared-hinge", "topk -c 100 -t linear", "m3l -c 100 -t 0",
		"mkl --kernels linear -c 100", "tracenorm --lambda2 1e-6", "l1 -c 100",
	} {
		for _, bias := range []string{"", " -B -1"} {
			if bias != "" && strings.HasPrefix(args, "tracenorm") {
				continue // the offset of the mean does there
			}
			must(t, append(strings.Fields("train "+args+bias), rare, path)...)
			if got := meanRecall(t, rare, path); (got > .9) != (bias == "") {
				t.Errorf("%s%s: mean recall %v", args, bias, got)
			}
		}
	}
}

// TestInterceptKernel: with -t gaussian the constant is in the kernel of the model, and -B -1 leaves it out.
func TestInterceptKernel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	for args, want := range map[string]string{
		"topk -t gaussian -g .5":         "Gaussian, gamma 0.5, plus constant 1",
		"topk -t gaussian -g .5 -B 3":    "Gaussian, gamma 0.5, plus constant 9",
		"m3l -t gaussian -g .5 -B -1":    "Gaussian, gamma 0.5\n",
		"m3l -t linear":                  "linear, plus constant 1",
		"toprank --positive g -t linear": "linear\n",
	} {
		must(t, append(strings.Fields("train "+args), radar(t), path)...)
		if about := must(t, "inspect", path); !strings.Contains(about, want) {
			t.Errorf("%s: no %q in\n%s", args, want, about)
		}
	}
	must(t, "train", "mkl", "--groups", "1-4,5-34", "--kernels", "linear,gaussian", radar(t), path)
	if about := must(t, "inspect", path); !strings.Contains(about, "constant") {
		t.Errorf("no constant in\n%s", about)
	}
}

// TestBalanced: -w balanced is the weights n/(m n_c), and finds rare classes.
func TestBalanced(t *testing.T) {
	rare, dir := rare(t), t.TempDir()
	plain, balanced, spelled := filepath.Join(dir, "plain.dg"), filepath.Join(dir, "balanced.dg"),
		filepath.Join(dir, "spelled.dg")
	for _, family := range []string{"topk", "m3l", "tracenorm", "l1", "mkl"} {
		must(t, "train", family, rare, plain)
		must(t, "train", family, "-w", "balanced", rare, balanced)
		must(t, "train", family, "-w", "one=50", "-w", "none="+number(1000./(2*990)), rare, spelled)
		same(t, balanced, spelled)
		if equal(t, plain, balanced) {
			t.Errorf("%s: -w balanced makes no difference", family)
		}
		must(t, "train", family, "-w", "balanced", "-v", "3", rare)
	}
	must(t, "train", "m3l", "-c", ".01", "-w", "balanced", rare, balanced)
	if got := meanRecall(t, rare, balanced); got < .9 {
		t.Errorf("mean recall %v", got)
	}
}

// TestWeightsOfLabels: with sets of labels -w weighs the losses of the label that it names. By weights next to 0 two
// labels alone have scores next to 0.
func TestWeightsOfLabels(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "m.dg"), filepath.Join(dir, "out")
	must(t, "train", "m3l", "-B", "-1", "-w", "2=1e-6", "-w", "4=1e-6", topics(t), path)
	must(t, "predict", "-q", "--scores", topics(t), path, out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != "labels 1 2 3 4" {
		t.Fatalf("scores of %q", lines[0])
	}
	var largest [4]float64
	for _, line := range lines[1:] {
		words := strings.Split(line, " ")
		for l := range largest {
			v, err := strconv.ParseFloat(words[len(words)-4+l], 64)
			if err != nil {
				t.Fatal(err)
			}
			largest[l] = max(largest[l], math.Abs(v))
		}
	}
	for l, v := range largest {
		if (v < .01) != (l == 1 || l == 3) {
			t.Errorf("label %d has scores up to %v", l+1, v)
		}
	}
}

// TestWeightsOfClasses: -w weighs the losses of the class that it names. Of a weight next to 0 fewer examples are found
// than where the other class has it.
func TestWeightsOfClasses(t *testing.T) {
	rare, dir := rare(t), t.TempDir()
	path, out := filepath.Join(dir, "m.dg"), filepath.Join(dir, "out")
	for _, family := range []string{"topk", "tracenorm", "l1", "mkl"} {
		found := map[string]int{} // examples of the class one, by the class that weighs little
		for _, class := range []string{"one", "none"} {
			must(t, "train", family, "-w", class+"=1e-6", rare, path)
			must(t, "predict", "-q", rare, path, out)
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range strings.Fields(string(text)) {
				if word == "one" {
					found[class]++
				}
			}
		}
		if !(found["one"] < found["none"]) {
			t.Errorf("%s: predictions of one, by the class of little weight: %v", family, found)
		}
	}
}

// TestWeightsFile: weights of examples from text and NPY do what weights of their classes do where they say the same,
// and are multiplied with them.
func TestWeightsFile(t *testing.T) {
	rare, dir := rare(t), t.TempDir()
	var lines strings.Builder
	all := make([]float64, 1000)
	for i := range all {
		if all[i] = 1; i%100 == 0 {
			all[i] = 50
		}
		fmt.Fprintln(&lines, all[i])
	}
	csv := text(t, "weights.txt", lines.String())
	npy := filepath.Join(dir, "weights.npy")
	must(t, "convert", "--unlabeled", text(t, "weights.csv", lines.String()), npy)
	byClass, byFile := filepath.Join(dir, "class.dg"), filepath.Join(dir, "file.dg")
	for _, family := range []string{"topk", "m3l", "tracenorm", "l1", "mkl"} {
		must(t, "train", family, "-w", "one=50", rare, byClass)
		for _, file := range []string{csv, npy} {
			must(t, "train", family, "--weights", file, rare, byFile)
			same(t, byClass, byFile)
		}
		must(t, "train", family, "-v", "3", "--weights", csv, rare)
		must(t, "train", family, "-w", "one=2500", rare, byClass)
		must(t, "train", family, "-w", "one=50", "--weights", csv, rare, byFile)
		same(t, byClass, byFile)
	}
	must(t, "train", "m3l", "--weights", text(t, "150.txt", strings.Repeat("1\n2\n.5\n", 50)), topics(t), byFile)
	must(t, "train", "topk", "--max-rows", "200", "--weights", csv, rare, byFile)
}

func TestWeightsErrors(t *testing.T) {
	rare, topics := rare(t), topics(t)
	for args, want := range map[string]string{
		"topk --weights " + text(t, "a", "1\n2\n") + " " +
			rare: "2 weights, but 1000 examples in " + rare,
		"topk --weights " + text(t, "b", "1 2\n") + " " + rare: "b",
		"topk --weights " + text(t, "c", "1,2\n3,4\n") + " " +
			rare: "2 columns, want one weight a line",
		"topk --weights " + text(t, "d", strings.Repeat("1\n", 999)+"-1\n") + " " +
			rare: "weight -1 of example 1000",
		"topk --weights " + text(t, "e", strings.Repeat("1\n", 999)+"nan\n") + " " + rare: ":1000",
		"topk --weights " + text(t, "f", strings.Repeat("0\n", 1000)) + " " +
			rare: "0",
		"topk --weights /no/such/file " + rare: "/no/such/file",
		"topk -w balanced -w one=2 " + rare:    "want one of them",
		"topk -w even " + rare:                 "want CLASS=WEIGHT or balanced",
		"m3l -w balanced " + topics:            "-w balanced with sets of labels",
		"topk --loss multilabel-hinge -w balanced " +
			topics: "-w balanced with sets of labels",
		"topk --loss multilabel-hinge -w 1=2 " +
			topics: "--weights FILE weighs examples",
		"m3l --weights " + text(t, "g", "1\n") + " " +
			topics: "1 weights, but 150 examples",
		"toprank --positive one -w one=2 " + rare:                                             "toprank has no weights",
		"toprank --positive one --weights " + text(t, "h", "1\n") + " " + rare:                "toprank has no weights",
		"tracenorm -w balanced --weights " + text(t, "i", "1\n2\n") + " " + rare:              "2 weights, but 1000",
		"mkl --weights " + text(t, "j", "w\n"+strings.Repeat("1\n", 1000)+"2\n") + " " + rare: "1001 weights, but 1000",
	} {
		path := filepath.Join(t.TempDir(), "model.dg")
		code, _, stderr := command(t, append(strings.Fields("train "+args), path)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}

// TestScaleUnit: the model of --scale unit takes raw examples as the model of examples of length 1 takes examples of
// length 1.
func TestScaleUnit(t *testing.T) {
	digits, dir := digits(t), t.TempDir()
	unit := filepath.Join(dir, "unit.svm")
	must(t, "convert", "--scale", "unit", digits, unit)
	raw, scaled := filepath.Join(dir, "raw.dg"), filepath.Join(dir, "scaled.dg")
	for _, family := range []string{"topk", "m3l", "tracenorm", "l1", "mkl", "toprank --positive 3"} {
		must(t, append(strings.Fields("train "+family+" --scale unit"), digits, raw)...)
		must(t, append(strings.Fields("train "+family), unit, scaled)...)
		if a, b := must(t, "evaluate", digits, raw), must(t, "evaluate", unit, scaled); a != b {
			t.Errorf("%s:\n%s\nand\n%s", family, a, b)
		}
		if a, b := must(t, "predict", digits, raw, "-"), must(t, "predict", unit, scaled, "-"); a != b {
			t.Errorf("%s: other predictions", family)
		}
	}
	m, err := predictor.Open(raw)
	if err != nil || !m.Scaling().UnitRows {
		t.Errorf("%v, %v", m, err)
	}
	if about := must(t, "inspect", raw); !strings.Contains(about, "each example to length 1") {
		t.Error(about)
	}
}

// TestDefaultLoss: m3l trains one against all as liblinear-train does by its defaults, and on kernels or sets of labels
// the hinge.
func TestDefaultLoss(t *testing.T) {
	dir := t.TempDir()
	plain, named := filepath.Join(dir, "plain.dg"), filepath.Join(dir, "named.dg")
	for args, want := range map[string]string{
		radar(t): "squared-hinge", "-t gaussian " + radar(t): "hinge", topics(t): "hinge", "--prior correlations " +
			topics(t): "hinge",
	} {
		must(t, append(strings.Fields("train m3l "+args), plain)...)
		for _, loss := range []string{"hinge", "squared-hinge"} {
			must(t, append(strings.Fields("train m3l --loss "+loss+" "+args), named)...)
			if equal(t, plain, named) != (loss == want) {
				t.Errorf("%s: by default not %s", args, want)
			}
		}
	}
}

// TestUnits: the constant feature of tracenorm and the gamma of Gaussian kernels are as the features are, whatever
// their units, so that models of examples times 1000 say the same; without the constant tracenorm is less accurate.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.dg")
	var files [2]string
	for k, factor := range []float64{1, 1000} {
		wine := samples.RedWine[float64]()
		for i := range wine.X.Data {
			wine.X.Data[i] *= factor
		}
		files[k] = written(t, fmt.Sprint(k, ".csv"), func(w io.Writer) error { return dataset.WriteCSV(w, wine) })
	}
	accuracy := func(file, args string) (v float64) {
		must(t, append(strings.Fields("train "+args+" --float64"), file, path)...)
		for line := range strings.Lines(must(t, "evaluate", file, path)) {
			if n, _ := fmt.Sscanf(line, "accuracy %g", &v); n == 1 {
				return v
			}
		}
		t.Fatal("no accuracy")
		return 0
	}
	for _, args := range []string{"tracenorm", "topk -t gaussian", "mkl"} {
		small, large := accuracy(files[0], args), accuracy(files[1], args)
		if math.Abs(large-small) > .005 || small < .5 {
			t.Errorf("%s: accuracy %v, of numbers 1000 times as large %v", args, small, large)
		}
	}
	if with, without := accuracy(files[0], "tracenorm"), accuracy(files[0], "tracenorm -B -1"); with < without+.04 {
		t.Errorf("accuracy %v with an intercept, %v without", with, without)
	}
}
