package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestConvertSolver: the text names the solver of LIBLINEAR that has the same loss and regularization, and a text that
// was read keeps its own. Where the loss is logistic predict -b says the same of both, and so does liblinear-predict.
func TestConvertSolver(t *testing.T) {
	two, three := noisyRows(t, "1", "-1"), noisyRows(t, "1", "2", "3")
	for _, c := range []struct {
		flags, data, want string
	}{
		{"svm --loss hinge", two, "L2R_L1LOSS_SVC_DUAL"},
		{"svm --loss squared-hinge", two, "L2R_L2LOSS_SVC"},
		{"svm --loss logistic", two, "L2R_LR"},
		{"svm --loss logistic --positive -1", two, "L2R_LR"},
		{"m3l --loss hinge", three, "L2R_L1LOSS_SVC_DUAL"},
		{"m3l --loss squared-hinge", three, "L2R_L2LOSS_SVC_DUAL"},
		{"m3l --loss logistic --scale standard", three, "L2R_LR_DUAL"},
		{"m3l --loss logistic", two, "L2R_LR_DUAL"},
		{"l1 --loss squared-hinge", two, "L1R_L2LOSS_SVC"},
		{"l1 --loss logistic", two, "L1R_LR"},
		{"l1 --loss logistic -B -1", three, "L1R_LR"},
		{"topk", three, "MCSVM_CS"},
		{"topk --loss topk-entropy", three, "MCSVM_CS"},
		{"topk --loss topk-entropy", two, "L2R_LR"},
		{"tracenorm", two, "L2R_LR"},
		{"regress --loss insensitive", noisyNumbers(t), "L2R_L1LOSS_SVR_DUAL"},
		{"regress --loss squared-insensitive", noisyNumbers(t), "L2R_L2LOSS_SVR"},
	} {
		at := func(name string) string { return filepath.Join(filepath.Dir(c.data), name) }
		must(t, append(append([]string{"train"}, strings.Fields(c.flags)...), "-q", "--force", "--header", "no", c.data,
			at("m.dg"))...)
		must(t, "convert", "--force", "--to", "liblinear", at("m.dg"), at("m.txt"))
		must(t, "convert", "--force", at("m.txt"), at("back.dg"))
		must(t, "convert", "--force", "--to", "liblinear", at("back.dg"), at("back.txt"))
		got := contents(t, at("m.txt"))
		if first, _, _ := strings.Cut(got, "\n"); first != "solver_type "+c.want {
			t.Errorf("%s: %q, want %s", c.flags, first, c.want)
		}
		if again := contents(t, at("back.txt")); again != got {
			t.Errorf("%s: again %q, want %q", c.flags, again, got)
		}
		if !strings.Contains(c.want, "LR") {
			continue
		}
		own := must(t, "predict", "-q", "-b", "--header", "no", c.data, at("m.dg"))
		for _, file := range []string{"m.txt", "back.dg"} {
			got := must(t, "predict", "-q", "-b", "--header", "no", c.data, at(file))
			samePredictions(t, c.flags+" "+file, got, own)
		}
		if _, err := exec.LookPath("liblinear-predict"); err != nil {
			continue
		}
		must(t, "convert", "--force", "--header", "no", c.data, at("data.svm"))
		call := exec.Command("liblinear-predict", "-b", "1", at("data.svm"), at("m.txt"), at("theirs"))
		if said, err := call.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", c.flags, err, said)
		}
		samePredictions(t, c.flags+", liblinear-predict", contents(t, at("theirs")), own)
	}
}

// TestConvertSolverRead: what liblinear-train -s 0, 6 and 7 have trained gives the same probabilities here as there.
func TestConvertSolverRead(t *testing.T) {
	for _, tool := range []string{"liblinear-train", "liblinear-predict"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	for _, data := range []string{noisyRows(t, "1", "-1"), noisyRows(t, "1", "2", "3")} {
		at := func(name string) string { return filepath.Join(filepath.Dir(data), name) }
		must(t, "convert", "--header", "no", data, at("data.svm"))
		for _, solver := range []string{"0", "6", "7"} {
			for _, args := range [][]string{
				{"liblinear-train", "-s", solver, "-B", "1", "-q", at("data.svm"), at("model")},
				{"liblinear-predict", "-b", "1", at("data.svm"), at("model"), at("theirs")},
			} {
				if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%q: %v: %s", args, err, said)
				}
			}
			samePredictions(t, "-s "+solver, must(t, "predict", "-q", "-b", at("data.svm"), at("model")),
				contents(t, at("theirs")))
		}
	}
}

// noisyNumbers is the file of numbers to predict.
func noisyNumbers(t *testing.T) string {
	return text(t, "numbers.csv", strings.NewReplacer("p", "1.5", "n", "-.5").Replace(contents(t, noisyRows(t))))
}

// samePredictions compares two outputs of predict -b, whose columns may be in any order and whose numbers have six
// digits or more. Of weights in 32 bits sums in another order differ in the seventh.
func samePredictions(t *testing.T, what, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(a) != len(b) {
		t.Fatalf("%s: %d lines, want %d", what, len(a), len(b))
	}
	names := strings.Fields(b[0])
	place := map[string]int{}
	for k, name := range names[1:] {
		place[name] = k + 1
	}
	order := strings.Fields(a[0])
	for i := 1; i < len(a); i++ {
		ours, theirs := strings.Fields(a[i]), strings.Fields(b[i])
		if len(ours) != len(theirs) || len(ours) > 0 && ours[0] != theirs[0] {
			t.Fatalf("%s, line %d: %q, want %q", what, i, a[i], b[i])
		}
		for k := 1; k < len(ours); k++ {
			v, err := strconv.ParseFloat(ours[k], 64)
			w, err2 := strconv.ParseFloat(theirs[place[order[k]]], 64)
			if err != nil || err2 != nil || math.Abs(v-w) > 1e-5*w {
				t.Fatalf("%s, line %d, class %s: %v, want %v", what, i, order[k], v, w)
			}
		}
	}
}
