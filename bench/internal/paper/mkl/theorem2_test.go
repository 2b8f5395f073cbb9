package mkl

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheorem2: the part prints a row for each p and number of kernels, with bounds that are above what is measured.
func TestTheorem2(t *testing.T) {
	out := t.TempDir()
	var text, stderr strings.Builder
	args := strings.Fields("-only theorem2 -out " + out + " -data " + tiny(t))
	if err := Run(context.Background(), args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q, printed\n%s", err, stderr.String(), text.String())
	}
	if !strings.Contains(text.String(), "claim, Theorem 2") || strings.Contains(text.String(), "DOES NOT HOLD") {
		t.Errorf("printed\n%s", text.String())
	}
	var table struct {
		Rows []struct {
			Name  string
			Cells []struct{ Value float64 }
		}
	}
	read(t, filepath.Join(out, "mkl-theorem2-caltech.json"), &table)
	if len(table.Rows) != 3*len(counts(len(cueNames))) {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for _, row := range table.Rows {
		if c := row.Cells; !(c[2].Value > 0 && c[2].Value < c[3].Value && c[4].Value < c[5].Value) {
			t.Errorf("%+v", row)
		}
	}
}
