package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// command runs the command in this process.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// must runs the command, which is to end without an error.
func must(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := command(t, args...)
	if code != 0 {
		t.Fatalf("dualgap %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// written returns the path of a new file with what write writes.
func written(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func text(t *testing.T, name, s string) string {
	return written(t, name, func(w io.Writer) error { _, err := io.WriteString(w, s); return err })
}

// digits is a LIBSVM file of every third digit, 0 to 9 of 8x8 pixels in 0..16.
func digits(t *testing.T) string {
	t.Helper()
	return written(t, "digits.svm", func(w io.Writer) error {
		all := samples.Digits[float32]()
		x, err := all.X.CSR()
		if err != nil {
			return err
		}
		var whole bytes.Buffer
		sparse := &dataset.Labeled[*dataset.CSR[float32]]{X: x, Labels: all.Labels}
		if err := dataset.WriteLIBSVM(&whole, sparse, dataset.LIBSVMOptions{}); err != nil {
			return err
		}
		i := 0
		for line := range strings.Lines(whole.String()) {
			if i%3 == 0 {
				io.WriteString(w, line)
			}
			i++
		}
		return nil
	})
}

// radar is a CSV file of the classes b and g, 34 features in [-1, 1].
func radar(t *testing.T) string {
	t.Helper()
	return written(t, "radar.csv", func(w io.Writer) error {
		return dataset.WriteCSV(w, samples.Ionosphere[float32]())
	})
}

// topics is a LIBSVM file of label sets: label l is there where the features 2l and 2l+1 sum to something positive.
func topics(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		var x [8]float64
		for j := range x {
			x[j] = float64(rng.IntN(201)-100) / 100
		}
		var set []string
		for l := range 4 {
			if x[2*l]+x[2*l+1] > 0 {
				set = append(set, strconv.Itoa(l+1))
			}
		}
		b.WriteString(strings.Join(set, ","))
		for j, v := range x {
			if v != 0 {
				b.WriteString(" " + strconv.Itoa(j+1) + ":" + number(v))
			}
		}
		b.WriteString("\n")
	}
	return text(t, "topics.svm", b.String())
}

// TestTrain: each family trains with its flags, the model is a file that can be read, and says what its scores are.
func TestTrain(t *testing.T) {
	digits, radar, topics := digits(t), radar(t), topics(t)
	r := text(t, "r.csv", "4,3,2,1\n1,.2,0,0\n.2,1,0,0\n0,0,1,.1\n0,0,.1,1\n")
	attributes := text(t, "attributes.csv", "1,-1,1,1\n-1,1,1,-1\n1,1,-1,-1\n")
	for name, c := range map[string]struct {
		args string
		file string
		task string
	}{
		"topk": {"topk", digits, predictor.Classes},
		"topk, five guesses": {"topk -k 5 --loss topk-usunier --smoothing 1 -c .1 -B 1", digits,
			predictor.Classes},
		"topk, softmax": {"topk --loss topk-entropy --scale minmax --float64 --lambda .01", digits,
			predictor.Classes},
		"topk, gaussian":       {"topk -t gaussian -g .001 -w 3=2 -w1 1.5", digits, predictor.Classes},
		"topk, poly":           {"topk -t 1 -d 2 -r 1 --scale standard", radar, predictor.Classes},
		"topk, sets":           {"topk --loss multilabel-hinge", topics, predictor.Classes},
		"m3l, one against all": {"m3l -c .01 -w 3=2", digits, predictor.Classes},
		"m3l, squares": {"m3l -c .01 --loss squared-hinge -B 1 --seed 3 --workers 1", digits,
			predictor.Classes},
		"m3l, sets":         {"m3l -w 2=3", topics, predictor.Sets},
		"m3l, correlations": {"m3l --prior correlations --shrink .5", topics, predictor.Sets},
		"m3l, R":            {"m3l -t gaussian --prior " + r, topics, predictor.Sets},
		"m3l, attributes":   {"m3l --ridge 1 --attributes " + attributes, topics, predictor.Sets},
		"svm, offset":       {"svm --offset -t gaussian", radar, predictor.Classes},
		"regress, offset":   {"regress --offset", digits, predictor.Numbers},
		"one class":         {"oneclass -n .1 -t gaussian", radar, predictor.Top},
		"toprank":           {"toprank --positive g", radar, predictor.Top},
		"toprank, K":        {"toprank -k 3 --loss hinge --theta1 .5 -c 10 --positive b", radar, predictor.Top},
		"toprank, patmat": {"toprank --method patmat --tau .1 --all --theta2 2 -t rbf --positive g", radar,
			predictor.Top},
		"toprank, of many classes": {"toprank --positive 3,8", digits, predictor.Top},
		"tracenorm":                {"tracenorm --scale minmax", digits, predictor.Classes},
		"tracenorm, weights": {"tracenorm --lambda1 .01 --lambda2 .001 --raw --rank 2 -B 1 -w g=2", radar,
			predictor.Classes},
		"l1":           {"l1 -c .01", digits, predictor.Classes},
		"l1, logistic": {"l1 --loss logistic -w g=2 -B -1", radar, predictor.Classes},
		"mkl":          {"mkl --kernels linear,gaussian:.5,poly:2 -c 10 -w b=2", radar, predictor.Classes},
		"mkl, groups": {"mkl --groups 1-4,5-34 --kernels gaussian --loss topk-usunier -p 1.1 --prune .01", radar,
			predictor.Classes},
		"mkl, sparse groups": {"mkl --groups 1-32,33-64 -k 2", digits, predictor.Classes},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "model.dg")
			args := append([]string{"train"}, strings.Fields(c.args)...)
			stdout := must(t, append(args, c.file, path)...)
			if !strings.Contains(stdout, "\nconverged after ") {
				t.Errorf("no outcome in %q", stdout)
			}
			m, err := predictor.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			double := slices.Contains(args, "--float64")
			switch {
			case (m.Bits() == 64) != double:
				t.Errorf("%d bits", m.Bits())
			case m.Task() != c.task:
				t.Errorf("task %s, want %s", m.Task(), c.task)
			case (m.Scaling().Factor != nil) != slices.Contains(args, "--scale"):
				t.Errorf("scaling %v", m.Scaling())
			}
			if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
				t.Errorf("%v %v beside the model", entries, err)
			}
		})
	}
}

// TestTrainNames: a model has the names of the classes in the file, a ranker has the names of its two sides.
func TestTrainNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	for args, want := range map[string]string{"topk": "g b  ", "toprank --positive b": "0 b g"} {
		must(t, append(append([]string{"train"}, strings.Fields(args)...), radar(t), path)...)
		m, err := predictor.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(m.Classes(), " ")
		if got == "" {
			got = "0"
		}
		if got += " " + strings.Join(m.Positive(), ",") + " " + m.Negative(); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// TestPriorOrder: rows and columns of a prior belong to the labels that its header names, also where labels are
// numbers.
func TestPriorOrder(t *testing.T) {
	topics, dir := topics(t), t.TempDir()
	plain, headed := filepath.Join(dir, "plain.dg"), filepath.Join(dir, "headed.dg")
	ascending := text(t, "plain.csv", "1,.5,0,0\n.5,1,0,0\n0,0,2,0\n0,0,0,1\n")
	descending := text(t, "headed.csv", "4,3,2,1\n1,0,0,0\n0,2,0,0\n0,0,1,.5\n0,0,.5,1\n")
	must(t, "train", "m3l", "--prior", ascending, topics, plain)
	must(t, "train", "m3l", "--prior", descending, topics, headed)
	same(t, plain, headed)
	must(t, "train", "m3l", topics, headed)
	if equal(t, plain, headed) {
		t.Error("the prior makes no difference")
	}
}
