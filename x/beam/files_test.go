package beam

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestWritable: a file that could be written is left as it is, or not there; a folder, and a file in the place of one,
// are errors.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	old := raw(t, dir, "old", []byte("model"))
	for path, want := range map[string]string{old: "", dir + "/new": "", dir + "/sub/new": "", dir: "it is a folder",
		old + "/new": "writing "} {
		err := Writable(t.Context(), path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	b, err := os.ReadFile(old)
	if got := files(t, dir); err != nil || string(b) != "model" || len(got) != 2 || len(files(t, dir+"/sub")) != 0 {
		t.Errorf("%q, %v, %q", b, err, got)
	}
}

// TestNames: folders with the characters of patterns in their names are folders as others.
func TestNames(t *testing.T) {
	l, _, m, path := single(t)
	for _, name := range []string{"a[1]", "b*", "c?d", `e\f`} {
		dir := filepath.Join(t.TempDir(), name)
		format := Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}
		rows := split(t, path, format, 1000)
		score := func(rows []Rows) error {
			return ScoreFiles(t.Context(), driver(t), m, ScoreOptions{}, rows, dir)
		}
		check(t, score(rows))
		killed := raw(t, dir, blockName(0, 1000)+temporary+"0", []byte{1})
		before := computed.Load()
		check(t, score(rows))
		if got := computed.Load() - before; got != 0 {
			t.Errorf("%s: %d blocks were computed again", name, got)
		}
		if _, err := os.Stat(killed); !os.IsNotExist(err) {
			t.Errorf("%s: %s is left", name, killed)
		}
		if err := score(split(t, path, format, 500)); err == nil || !strings.Contains(err.Error(), "other rows") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAtOnce: runs of the same job in the same folder do not disturb each other.
func TestAtOnce(t *testing.T) {
	l, r, m, path := single(t)
	dir, rows := t.TempDir(), split(t, path, Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}, 64)
	var runs sync.WaitGroup
	for range 3 {
		runs.Go(func() {
			if err := ScoreFiles(t.Context(), driver(t), m, ScoreOptions{}, rows, dir); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if got, want := answers(t, dir), wanted(t, r, l.X, 0); string(got) != string(want) {
		t.Error("other bytes")
	}
}

// TestElements: elements that no file can have, or that the file does not have, are errors before memory is taken.
func TestElements(t *testing.T) {
	dir := t.TempDir()
	path := raw(t, dir, "rows", make([]float32, 8))
	f := Format{Kind: Raw, Type: "f4", Cols: 4}
	text := Format{Kind: LIBSVM, Cols: 4}
	var r reader[float64]
	if _, err := r.read(t.Context(), Rows{Path: path, Count: 2, Bytes: 32, Format: f}); err != nil {
		t.Error(err)
	}
	for k, e := range []Rows{
		{Path: path, Count: 3, Bytes: 32, Format: f}, {Path: path, Count: 0, Bytes: 0, Format: f},
		{Path: path, Count: -1, Bytes: -16, Format: f}, {Path: path, Count: 1 << 40, Bytes: 1 << 44, Format: f},
		{Path: path, Count: 1, Bytes: 16, Offset: -16, Format: f},
		{Path: path, Count: 1, Bytes: 16, First: -1, Format: f},
		{Path: path, Count: 1, Bytes: 16, Offset: math.MaxInt64 - 8, Format: f},
		{Path: path, Count: 2, Bytes: 1 << 60, Format: text}, {Path: path, Count: 2, Bytes: -1, Format: text},
		{Path: path, Count: 2, Bytes: math.MaxInt64, Format: Format{Kind: CSR, Type: "f4", Cols: 4}},
		{Path: path, Count: 2, Bytes: 32, Format: Format{Kind: Raw, Type: "f8", Cols: 1 << 60}},
		{Path: path, Count: 2, Row: math.MaxInt64 - 1, Bytes: 32, Format: Format{Kind: NPY, Cols: 4}},
	} {
		if b, err := r.read(t.Context(), e); err == nil {
			t.Errorf("%d: %+v, want an error", k, b)
		}
	}
	for _, f := range []Format{
		{Kind: Raw, Type: "f4", Cols: 4, Scale: 2}, {Kind: CSR, Type: "f4", Cols: 4, Shift: 1},
		{Kind: NPY, Cols: 4, ZeroBased: true}, {Kind: Raw, Type: "f4", Cols: 4, Sets: true},
		{Kind: NPY, Cols: 4, Scale: math.NaN()}, {Kind: Raw, Type: "f8", Cols: 1 << 61},
	} {
		if found, err := Split(t.Context(), path, f, 10); err == nil {
			t.Errorf("%+v: %v, want an error", f, found)
		}
	}
	if found, err := Split(t.Context(), raw(t, dir, "none", []byte{}), f, 10); err == nil {
		t.Errorf("no row: %v, want an error", found)
	}
}

// TestDrawGap: a sample of rows of which some are missing is an error.
func TestDrawGap(t *testing.T) {
	dir := t.TempDir()
	path, labels := raw(t, dir, "rows", make([]float64, 40)), classes(t, dir, make([]int, 20))
	f := Format{Kind: Raw, Type: "f8", Cols: 2}
	for _, first := range []int64{1, 10, 19} {
		rows := []Rows{{Path: path, First: first, Count: 20, Bytes: 320, Format: f}}
		p := ProblemSpec{Loss: "topk-entropy", Lambda: 1, N: 20, Features: 2, Classes: 2, Labels: labels}
		if s, err := p.draw(t.Context(), rows, 20, 0); err == nil || !strings.Contains(err.Error(), "want row 0 next") {
			t.Errorf("first row %d: %v, %v", first, s, err)
		}
	}
}

// TestHeldAgain: a run reads its files anew, since they may be others than in the run before, and holds no rows after.
func TestHeldAgain(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	p := ProblemSpec{N: 200, Features: 64, Classes: 10, Labels: classes(t, dir, l.Y[:200])}
	var found []vec.Matrix[float64]
	for _, from := range []int{0, 300} {
		path := raw(t, dir, "rows.f8", l.X.Data[64*from:64*(from+200)])
		rows := split(t, path, Format{Kind: Raw, Type: "f8", Cols: 64}, 100)
		m, _, err := TrainLabels(t.Context(), driver(t), LabelsSpec{}, p, rows)
		check(t, err)
		found = append(found, m.Weights())
	}
	if flatten(found[0])[20] == flatten(found[1])[20] {
		t.Error("the weights of the second run are of the rows of the first")
	}
	assets.Lock()
	defer assets.Unlock()
	for _, l := range assets.loaded {
		if _, rows := l.value.(*sample); rows {
			t.Error("rows are held after the run")
		}
	}
}
