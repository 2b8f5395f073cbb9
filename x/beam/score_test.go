package beam

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// cuts are the rows of an element.
var cuts = []int{100, 333, 1000, 5000}

// answers returns the bytes of the blocks in a folder, in the order of their rows.
func answers(t *testing.T, dir string) (all []byte) {
	t.Helper()
	for _, name := range files(t, dir) {
		if strings.Contains(name, temporary) {
			t.Errorf("a temporary file is left: %s", name)
		}
		if !strings.HasSuffix(name, note) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			check(t, err)
			all = append(all, b...)
		}
	}
	return all
}

// wanted returns the bytes of what the library answers.
func wanted[T vec.Float](t *testing.T, m solvers.Scorer[T], x design.Matrix[T], k int) []byte {
	t.Helper()
	n, _ := x.Dims()
	_, outputs := m.Dims()
	scores := vec.NewMatrix[T](n, outputs)
	check(t, m.Scores(scores, x, nil))
	var all bytes.Buffer
	for i := range n {
		row := scores.Row(i)
		if k == 0 {
			binary.Write(&all, binary.LittleEndian, row)
			continue
		}
		best := make([]int, k)
		solvers.Rank(best, row)
		for _, c := range best {
			binary.Write(&all, binary.LittleEndian, int32(c))
		}
		for _, c := range best {
			binary.Write(&all, binary.LittleEndian, row[c])
		}
	}
	return all.Bytes()
}

// single returns digits as float32, scaled, a model whose notes have the scaling, and a file of them as they were.
func single(t *testing.T) (*dataset.Labeled[*dataset.Dense[float32]], *model.Model[float32], Asset, string) {
	t.Helper()
	l, dir := digits(t), t.TempDir()
	x, err := dataset.ConvertDense[float32](l.X)
	check(t, err)
	scaling, err := dataset.Standardize(x)
	check(t, err)
	scaled, err := x.Scaled(scaling)
	check(t, err)
	notes, err := scaling.Note(nil)
	check(t, err)
	b, err := fit.Single(t.Context(), scaled, l.Y, topk.Config{Lambda: 1e-2, Tol: 1e-1}, notes)
	check(t, err)
	m, err := model.Read[float32](bytes.NewReader(b))
	check(t, err)
	return &dataset.Labeled[*dataset.Dense[float32]]{X: scaled, Labels: l.Labels}, m, asset(t, raw(t, dir, "model", b)),
		raw(t, dir, "rows.f4", x.Data)
}

// TestScoreDense: the bytes are the library's, for all ranges, numbers of answers and types, and the model is loaded
// once.
func TestScoreDense(t *testing.T) {
	l, r, m, path := single(t)
	forget(func(*loading) bool { return true }) // tests before may have loaded the same model
	before := loads.Load()
	for _, k := range []int{0, 3} {
		want := wanted(t, r, l.X, k)
		for _, rows := range cuts {
			dir := t.TempDir()
			found := split(t, path, Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}, rows)
			check(t, ScoreFiles(t.Context(), driver(t), m, ScoreOptions{K: k}, found, dir))
			if got := answers(t, dir); !bytes.Equal(got, want) {
				t.Errorf("K = %d, %d rows: other bytes", k, rows)
			}
		}
	}
	if got := loads.Load() - before; got != 1 {
		t.Errorf("the model was loaded %d times, want once", got)
	}
}

// TestScoreSparse: the same of LIBSVM text and float64.
func TestScoreSparse(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	x, err := l.X.CSR()
	check(t, err)
	trained, err := fit.Fit(t.Context(), fit.Data{X: x, Y: l.Y}, topk.Config{Lambda: 1e-2, Tol: 1e-1})
	check(t, err)
	m := asset(t, raw(t, dir, "model", trained.Model))
	r, err := model.Read[float64](bytes.NewReader(trained.Model))
	check(t, err)
	name := save(t, dir, "rows.svm", func(w io.Writer) error {
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: l.Labels},
			dataset.LIBSVMOptions{})
	})
	want := wanted(t, r, x, 2)
	for _, rows := range cuts {
		dir := t.TempDir()
		found := split(t, scheme+name, Format{Kind: LIBSVM, Cols: x.Cols}, rows)
		check(t, ScoreFiles(t.Context(), driver(t), m, ScoreOptions{K: 2, Workers: 1}, found, scheme+dir))
		if got := answers(t, dir); !bytes.Equal(got, want) {
			t.Errorf("%d rows: other bytes", rows)
		}
	}
}

// TestEncode: the codes are the library's.
func TestEncode(t *testing.T) {
	l, _, _, path := single(t)
	x, err := os.ReadFile(path)
	check(t, err)
	numbers := vec.NewMatrix[float32](l.X.Rows, l.X.Cols)
	_, err = binary.Decode(x, binary.LittleEndian, numbers.Data)
	check(t, err)
	q, err := pq.Train(t.Context(), numbers, pq.Config{M: 8, NBits: 4})
	check(t, err)
	book := modelFile(t, t.TempDir(), "book", q)
	want := make([]byte, l.X.Rows*q.CodeSize())
	check(t, q.Encode(want, numbers, 1))
	for _, rows := range cuts {
		dir := t.TempDir()
		found := split(t, path, Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}, rows)
		check(t, EncodeFiles(t.Context(), driver(t), book, EncodeOptions{}, found, dir))
		if got := answers(t, dir); !bytes.Equal(got, want) {
			t.Errorf("%d rows: other bytes", rows)
		}
	}
}

// TestScoreFaults: a step that fails once, by an error or a panic, when it reads, writes or renames, changes no bit,
// leaves no temporary file, and what was whole before it is not computed again.
func TestScoreFaults(t *testing.T) {
	l, r, m, path := single(t)
	want, rows := wanted(t, r, l.X, 1), split(t, scheme+path, Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}, 100)
	for _, operation := range []string{"open", "write", "rename"} {
		for _, panics := range []bool{false, true} {
			now, part := once(9), "rows.f4"
			if operation != "open" {
				part = "rows-" // the fifth block's note, after its answers
			}
			failWith(t, func(o, name string) error {
				if o == operation && strings.Contains(name, part) && now() {
					if panics {
						panic("panics once")
					}
					return errOnce
				}
				return nil
			})
			dir, before := t.TempDir(), computed.Load()
			score := func(o ScoreOptions) {
				t.Helper()
				check(t, ScoreFiles(t.Context(), driver(t), m, o, rows, scheme+dir))
			}
			score(ScoreOptions{K: 1})
			if got := answers(t, dir); !bytes.Equal(got, want) {
				t.Errorf("%s: other bytes", operation)
			}
			again := int64(1) // the block whose file failed
			if operation == "open" {
				again = 0
			}
			if got, want := computed.Load()-before, int64(len(rows))+again; got != want {
				t.Errorf("%s: %d blocks were computed, want %d", operation, got, want)
			}
		}
	}
}

// TestScoreAgain: a run in the same folder computes what is not whole, or is of another job.
func TestScoreAgain(t *testing.T) {
	l, r, m, path := single(t)
	format := Format{Kind: Raw, Type: "f4", Cols: l.X.Cols}
	rows, dir := split(t, path, format, 100), t.TempDir()
	score := func(o ScoreOptions, want int64) {
		t.Helper()
		before := computed.Load()
		check(t, ScoreFiles(t.Context(), driver(t), m, o, rows, dir))
		if got := computed.Load() - before; got != want || !bytes.Equal(answers(t, dir), wanted(t, r, l.X, o.K)) {
			t.Errorf("%d blocks were computed, want %d, or other bytes", got, want)
		}
	}
	file := func(i int) string { return filepath.Join(dir, blockName(rows[i].First, rows[i].Count)) }
	score(ScoreOptions{}, 18)
	score(ScoreOptions{Workers: 1}, 0)
	check(t, os.Remove(file(2)))
	check(t, os.Remove(file(3)+note))
	check(t, os.Truncate(file(4), 10))
	check(t, os.WriteFile(file(5), slices.Repeat([]byte{1}, 4000), 0o644))
	check(t, os.WriteFile(file(6)+temporary+"0", nil, 0o644)) // of a run that was killed
	score(ScoreOptions{}, 4)
	score(ScoreOptions{K: 2}, 18)

	err := ScoreFiles(t.Context(), driver(t), m, ScoreOptions{K: 2}, split(t, path, format, 200), dir)
	if err == nil || !strings.Contains(err.Error(), "other rows") {
		t.Errorf("other ranges: %v", err)
	}
	err = ScoreFiles(t.Context(), driver(t), m, ScoreOptions{K: 11}, rows, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "the best 11 of 10") {
		t.Errorf("too many outputs: %v", err)
	}
	rows[1].Format.Cols = 63
	err = ScoreFiles(t.Context(), driver(t), m, ScoreOptions{}, rows, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "63 columns, want 64") {
		t.Errorf("other columns: %v", err)
	}
}
