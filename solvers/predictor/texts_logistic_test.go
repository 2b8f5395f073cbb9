package predictor

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLIBLINEARProbabilities: a text of a logistic solver gives the probabilities that liblinear-predict -b 1 does, of
// two classes and of three; so does the file that is made of it. Its numbers have six digits.
func TestLIBLINEARProbabilities(t *testing.T) {
	for _, name := range []string{"l2r_lr", "l1r_lr"} {
		p, err := Open(filepath.Join("..", "linear", "testdata", name+".liblinear"))
		if err != nil {
			t.Fatal(err)
		}
		_, double := p.Models()
		var file bytes.Buffer
		if _, err := double.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := os.ReadFile(filepath.Join("..", "linear", "testdata", name+".probabilities"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(theirs), "\n")
		classes := strings.Fields(lines[0])[1:]
		for i, x := range textExamples() {
			words := strings.Fields(lines[i+1])
			for _, p := range []*Predictor{p, again} {
				q, err := p.Predict(x)
				if err != nil {
					t.Fatal(err)
				}
				if q.Label != words[0] || len(q.Probabilities) != len(classes) {
					t.Fatalf("%s, example %d: %q, probabilities %v, liblinear-predict says %v", name, i, q.Label,
						q.Probabilities, words)
				}
				for k, class := range classes {
					var want float64
					if _, err := fmt.Sscan(words[k+1], &want); err != nil {
						t.Fatal(err)
					}
					got := q.Probabilities[slices.Index(p.Classes(), class)]
					if math.Abs(got-want) > 5e-6*want {
						t.Errorf("%s, example %d, class %s: %v, liblinear-predict says %v", name, i, class, got, want)
					}
				}
			}
		}
	}
}

// TestLIBLINEARNoProbabilities: texts of other losses give none, as liblinear-predict refuses -b 1 for them.
func TestLIBLINEARNoProbabilities(t *testing.T) {
	for _, solver := range strings.Fields("L2R_L2LOSS_SVC_DUAL L2R_L2LOSS_SVC L2R_L1LOSS_SVC_DUAL MCSVM_CS " +
		"L1R_L2LOSS_SVC") {
		p, err := Read(strings.NewReader("solver_type " + solver + "\nnr_class 3\nlabel 3 1 2\nnr_feature 1\n" +
			"bias -1\nw\n1 2 3\n"))
		if err != nil || p.HasProbabilities() {
			t.Errorf("%s: probabilities, %v", solver, errors.Join(err, ErrNoProbabilities))
		}
	}
}
