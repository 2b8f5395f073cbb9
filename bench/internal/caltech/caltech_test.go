package caltech

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// miniature makes a folder with three images by two cues.
func miniature(t *testing.T, index, scales string) report.Folder {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, folder, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
		t.Fatal(err)
	}
	put("index.tsv", []byte(index))
	put("scales.tsv", []byte(scales))
	x := &dataset.Dense[float32]{Matrix: vec.Matrix[float32]{Rows: 3, Cols: 2, Stride: 2, Data: []float32{1, 3, 0, 0, 4,
		12}}}
	for _, cue := range []string{"bow", "gist"} {
		var text strings.Builder
		if err := dataset.WriteNPY(&text, x, dataset.NPYOptions{Type: "u1"}); err != nil {
			t.Fatal(err)
		}
		put(cue+".npy.gz", []byte(text.String())) // readers take both, packed and not
	}
	return report.Folder(dir)
}

const (
	index  = "row\tlabel\tsplit\tclass\tfile\n0\t2\ttest\tb\tf\n1\t1\ttrain\ta\tf\n2\t2\ttrain\tb\tf\n"
	scales = "feature\tshape\tdtype\tscale\nbow\t3x2\tuint8\t1\ngist\t3x2\tuint8\t0.5\n"
)

func TestCue(t *testing.T) {
	m, err := Open(miniature(t, index, scales))
	if err != nil {
		t.Fatal(err)
	}
	if m.Classes != 2 || len(m.Y) != 2 || m.Y[0] != 0 || m.Y[1] != 1 || len(m.TestY) != 1 || m.TestY[0] != 1 {
		t.Errorf("%+v", m)
	}
	for cue, want := range map[string][3][2]float64{
		"gist": {{.5, 1.5}, {0, 0}, {2, 6}},
		"bow":  {{math.Sqrt(.25), math.Sqrt(.75)}, {0, 0}, {math.Sqrt(.25), math.Sqrt(.75)}}, // no words: 0
	} {
		train, test, err := m.Cue(cue)
		if err != nil {
			t.Fatal(err)
		}
		if train.Rows != 2 || test.Rows != 1 {
			t.Fatalf("%s: %d and %d rows", cue, train.Rows, test.Rows)
		}
		for i, row := range [][]float32{test.Row(0), train.Row(0), train.Row(1)} {
			for j, v := range row {
				if v != float32(want[i][j]) {
					t.Errorf("%s, image %d: %v, want %v", cue, i, row, want[i])
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for want, files := range map[string][2]string{
		`line 2: class "x"`:        {strings.Replace(index, "\t2\ttest", "\tx\ttest", 1), scales},
		`line 3: "both" is neithe`: {strings.Replace(index, "1\ttrain", "1\tboth", 1), scales},
		"0 training and 3 test":    {strings.ReplaceAll(index, "train", "test"), scales},
		`line 3: scale "-1"`:       {index, strings.Replace(scales, "0.5", "-1", 1)},
		"scales.tsv: want a head":  {index, "feature\n"},
	} {
		if _, err := Open(miniature(t, files[0], files[1])); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := Open(report.Folder(t.TempDir())); err == nil || !strings.Contains(err.Error(), "lacks") {
		t.Errorf("no files: %v", err)
	}
	m, err := Open(miniature(t, index+"3\t1\ttrain\ta\tf\n", scales+"fv\t1\tint8\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for cue, want := range map[string]string{"bow": "3 images, but 4 in index.tsv", "fv": "lacks",
		"hsv": `no line for "hsv"`} {
		if _, _, err := m.Cue(cue); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", cue, err, want)
		}
	}
}
