package beam

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
)

// TestAligned: ranges of any size become ranges that begin at multiples of 64 rows and have the same numbers; a gap
// stays one, and blocks of CSR and other files begin as before.
func TestAligned(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	x, err := l.X.CSR()
	check(t, err)
	raw(t, dir, "rows.f8", l.X.Data)
	save(t, dir, "rows.npy", func(w io.Writer) error { return dataset.WriteNPY(w, l.X, dataset.NPYOptions{}) })
	name := save(t, dir, "rows.svm", func(w io.Writer) error {
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: l.Labels},
			dataset.LIBSVMOptions{})
	})
	text, err := os.ReadFile(name)
	check(t, err)
	mixed := strings.ReplaceAll("# head\n\n"+string(text), "\n7", "\n \n# 7\n7")
	check(t, os.WriteFile(name, []byte(mixed+"\n#end"), 0o644))
	d := l.X.Cols
	for name, f := range map[string]Format{"rows.f8": {Kind: Raw, Type: "f8", Cols: d},
		"rows.npy": {Kind: NPY, Cols: d}, "rows.svm": {Kind: LIBSVM, Cols: d}} {
		for _, size := range []int{1, 10, 63, 64, 65, 100, 333, 1797} {
			rows := split(t, dir+"/"+name, f, size)
			slices.Reverse(rows)
			got, err := aligned(t.Context(), rows)
			check(t, err)
			for _, e := range got {
				if e.Row%stretch != 0 || e.Count < 1 {
					t.Errorf("%s by %d: %v begins at row %d", name, size, e, e.Row)
				}
			}
			if want := split(t, dir+"/"+name, f, size); size%stretch == 0 && !slices.Equal(got, want) {
				t.Errorf("%s by %d: %v", name, size, got)
			}
			if !slices.Equal(read[float64](t, got), l.X.Data) {
				t.Errorf("%s by %d: other numbers", name, size)
			}
		}
	}
	rows := split(t, dir+"/rows.f8", Format{Kind: Raw, Type: "f8", Cols: d}, 100)
	gap := slices.Delete(slices.Clone(rows), 1, 2)
	if got, err := aligned(t.Context(), gap); err != nil || got[0] != gap[0] || got[1].Row != 200 {
		t.Errorf("a gap: %v, %v", got, err)
	}
	other := slices.Clone(rows[:2])
	other[1].Path = "another"
	if got, err := aligned(t.Context(), other); err != nil || !slices.Equal(got, other) {
		t.Errorf("two files: %v, %v", got, err)
	}
	text, err = os.ReadFile(name)
	check(t, err)
	rows = split(t, name, Format{Kind: LIBSVM, Cols: d}, 100)
	check(t, os.WriteFile(name, []byte(strings.Repeat("\n", len(text))), 0o644))
	if _, err := aligned(t.Context(), rows); err == nil || !strings.Contains(err.Error(), "the file has changed") {
		t.Errorf("another file: %v", err)
	}
}
