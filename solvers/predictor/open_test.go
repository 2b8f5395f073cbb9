package predictor

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// put writes a model.
func put(t *testing.T, name string, m io.WriterTo) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(b.Bytes())
		z.Close()
		b = packed
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// model1 is a linear model of 2 features with as many outputs as weights are for.
func model1[T vec.Float](t *testing.T, notes map[string]string, names []string, w ...T) *linear.Model[T] {
	t.Helper()
	m, err := linear.New(vec.MatrixOf(2, len(w)/2, w), nil, names)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(notes)
}

func TestOpen(t *testing.T) {
	names := []string{"a", "b"}
	notes := map[string]string{NoteTask: Sets, dataset.ScalingNote: "factor 2 3\n"}
	for _, name := range []string{"m.dg", "m.dg.gz"} {
		m, err := Open(put(t, name, model1[float32](t, notes, names, 1, 2, 3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		features, outputs := m.Dims()
		if m.Bits() != 32 || m.Task() != Sets || m.Scaling().Factor[1] != 3 || features != 2 || outputs != 2 ||
			m.Classes()[1] != "b" {
			t.Errorf("%+v", m)
		}
	}
	m, err := Open(put(t, "m.dg", model1[float64](t, nil, nil, 1, 2, 3, 4)))
	if err != nil || m.Bits() != 64 || m.Task() != Classes || fmt.Sprint(m.Classes()) != "[0 1]" {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = Open(put(t, "m.dg", model1[float64](t, map[string]string{"solver": "m3l"}, nil, 1, 2, 3, 4)))
	if err != nil || m.Task() != Sets {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = Open(put(t, "m.dg", model1[float64](t, map[string]string{"threshold": "-1.5", NotePositive: "x,y",
		NoteNegative: "z"}, nil, 1, 2)))
	if err != nil || m.Task() != Top || m.Threshold() != -1.5 || fmt.Sprint(m.Positive(), m.Negative()) != "[x y]z" ||
		m.Classes() != nil {
		t.Errorf("%+v, %v", m, err)
	}
}

// Texts of other programs are models.
func TestOpenTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.txt")
	put := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("solver_type MCSVM_CS\nnr_class 3\nlabel 7 5 9\nnr_feature 2\nbias -1\nw\n1 2 3 \n4 5 6 \n")
	m, err := Open(path)
	if err != nil || fmt.Sprint(m.Classes()) != "[7 5 9]" || m.double.Linear.Weights().Row(1)[2] != 6 {
		t.Errorf("LIBLINEAR: %+v, %v", m, err)
	}
	put("svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 1\nrho 0.25\nlabel 4 -4\nnr_sv 1 0\nSV\n1 " +
		"1:1 2:1 \n")
	m, err = Open(path)
	if err != nil || m.Task() != Classes || fmt.Sprint(m.Classes()) != "[-4 4]" || m.double.Kernel.Bias()[0] != -.25 {
		t.Errorf("LIBSVM: %+v, %v", m, err)
	}
}

// Errors name the file and what is wrong; nothing panics.
func TestOpenErrors(t *testing.T) {
	if _, err := Read(nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("a nil reader: %v", err)
	}
	var state bytes.Buffer
	container.NewWriter(&state, "state", 1).Close()
	for _, c := range []struct {
		path  string
		parts []string
	}{
		{"/no/such/file", []string{"/no/such/file"}},
		{put(t, "data", bytes.NewBufferString("1 1:2\n")), []string{"data", "no model", `"1 1:2\n"`}},
		{put(t, "empty", new(bytes.Buffer)), []string{"empty", "no model"}},
		{put(t, "state", &state), []string{"state", "linear"}},
		{put(t, "cut", bytes.NewBufferString("dualgap\nlinear")), []string{"cut", "corrupt"}},
		{put(t, "liblinear", bytes.NewBufferString("solver_type NONE\n")), []string{"liblinear", "NONE"}},
		{put(t, "task", model1[float32](t, map[string]string{NoteTask: "chess"}, nil, 1, 2)),
			[]string{"task", `"chess"`}},
		{put(t, "top", model1[float32](t, map[string]string{NoteTask: Top}, nil, 1, 2)), []string{"top", "threshold"}},
		{put(t, "top", model1[float32](t, map[string]string{NoteTask: Top, "ranks": "within queries"}, nil, 1, 2)),
			[]string{"top", "within queries: true"}},
		{put(t, "queries", model1[float32](t, map[string]string{NoteTask: Queries, "threshold": "1"}, nil, 1, 2)),
			[]string{"queries", "within queries: false"}},
		{put(t, "top", model1[float32](t, map[string]string{"threshold": "high"}, nil, 1, 2)),
			[]string{"top", `"high"`}},
		{put(t, "top", model1[float32](t, map[string]string{"threshold": "1"}, nil, 1, 2, 3, 4)),
			[]string{"top", "2 outputs"}},
		{put(t, "positive", model1[float32](t, map[string]string{"threshold": "1", NotePositive: `["a"`}, nil, 1, 2)),
			[]string{"positive", "list of names"}},
		{put(t, "features", model1[float32](t, map[string]string{NoteFeatures: "a"}, nil, 1, 2)),
			[]string{"features", "1", "2"}},
		{put(t, "scaled", model1[float32](t, map[string]string{dataset.ScalingNote: "factor x"}, nil, 1, 2)),
			[]string{"scaled", `"x"`}},
		{put(t, "scaled", model1[float32](t, map[string]string{dataset.ScalingNote: "factor 1 2 3"}, nil, 1, 2)),
			[]string{"scaled", "3", "2"}},
	} {
		_, err := Open(c.path)
		for _, part := range c.parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, without %q", filepath.Base(c.path), err, part)
			}
		}
	}
}
