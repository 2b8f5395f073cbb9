package solvers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
)

// half writes some bytes, and then there is an error.
type half struct{ cause error }

func (h half) WriteTo(w io.Writer) (int64, error) {
	n, _ := w.Write(make([]byte, 1<<20))
	return int64(n), h.cause
}

// TestWriteFile: a model's file is read again; where writing ends early the old file stays, alone, and the error says
// why. Package file has what the system may refuse, and processes that are killed.
func TestWriteFile(t *testing.T) {
	data := samples.Ionosphere[float64]()
	r, err := svm.Fit(context.Background(), data.X, data.Y, svm.Config{C: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "model.dg")
	if err := solvers.WriteFile(path, r.Model); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if _, err := r.Model.WriteTo(&want); err != nil {
		t.Fatal(err)
	}
	same := func() {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%v, %d bytes, want the model's %d", err, len(got), want.Len())
		}
	}
	same()
	if _, err := model.Read[float64](bytes.NewReader(want.Bytes())); err != nil {
		t.Error(err)
	}
	cause := errors.New("no more")
	if err := solvers.WriteFile(path, half{cause}); !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
	same()
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	nowhere := filepath.Join(dir, "none", "model.dg")
	err = solvers.WriteFile(nowhere, r.Model)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "solvers: ") ||
		!strings.Contains(err.Error(), nowhere) {
		t.Errorf("%v, want one that names %s", err, nowhere)
	}
}

// TestStateFile: a training goes on from the last state, to the bits of one that never stopped.
func TestStateFile(t *testing.T) {
	data := samples.Ionosphere[float64]()
	p := svm.Problem[float64]{X: data.X, Y: data.Y}
	c := svm.Config{C: 1, Tol: 1e-9, Workers: 1}
	want, err := p.Fit(context.Background(), c)
	if err != nil || want.Epochs < 3 {
		t.Fatal(want.Outcome, err)
	}
	path := filepath.Join(t.TempDir(), "model.state")
	if err := os.WriteFile(path, []byte("an older one"), 0o600); err != nil {
		t.Fatal(err)
	}
	short := c
	short.Epochs, short.Checkpoint.Save = 2, solvers.StateFile(path)
	if _, err := p.Fit(context.Background(), short); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := p.Resume(context.Background(), f, c)
	if err != nil || got.Outcome != want.Outcome || !slices.Equal(got.Duals.Data, want.Duals.Data) {
		t.Errorf("%v, %v, want %v", got.Outcome, err, want.Outcome)
	}
}
