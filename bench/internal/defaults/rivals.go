package defaults

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
)

// rivals are their columns.
var rivals = []string{"LIBLINEAR", "LinearSVC", "LogisticRegression"}

//go:embed sklearn.py
var script string

// rivals returns their accuracies, in percent, NaN of one that is not installed.
func (b *bench) rivals(ctx context.Context, f *files) ([]float64, error) {
	all := []float64{math.NaN(), math.NaN(), math.NaN()}
	var err error
	if all[0], err = b.liblinear(ctx, f); err != nil {
		return nil, err
	}
	text, err := output(exec.CommandContext(ctx, b.python, "-c", script, f.svm[0], f.svm[1], strconv.Itoa(f.features)))
	switch {
	case missing(err):
		return all, nil
	case err != nil:
		return nil, err
	}
	var theirs []float64 // none: no scikit-learn
	if err := json.Unmarshal(text, &theirs); err != nil {
		return nil, fmt.Errorf("%s: %q: %w", b.python, text, err)
	}
	copy(all[1:], theirs)
	return all, nil
}

func (b *bench) liblinear(ctx context.Context, f *files) (float64, error) {
	model, answers := filepath.Join(b.dir, "liblinear"), filepath.Join(b.dir, "answers")
	_, err := output(exec.CommandContext(ctx, "liblinear-train", "-q", "-B", "1", f.svm[0], model))
	if missing(err) {
		return math.NaN(), nil
	}
	var text []byte
	if err == nil {
		text, err = output(exec.CommandContext(ctx, "liblinear-predict", f.svm[1], model, answers))
	}
	if err != nil {
		return 0, err
	}
	var accuracy float64
	if _, err := fmt.Sscanf(string(text), "Accuracy = %g%%", &accuracy); err != nil {
		return 0, fmt.Errorf("liblinear-predict: %q: %w", text, err)
	}
	return accuracy, nil
}

// missing reports whether there is no such program.
func missing(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
}
