package topk

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart/svgtest"
)

// TestProjections: the picture has a line for each projection, the table a row for each dimension.
func TestProjections(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	dir := t.TempDir()
	var out, errs strings.Builder
	if err := Run(context.Background(), []string{"-projections", "-quick", "-out", dir}, &out, &errs); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(filepath.Join(dir, "topk-figure3.svg"))
	if err != nil {
		t.Fatal(err)
	}
	p := svgtest.Read(t, string(picture))
	p.Fits(t)
	if n := strings.Count(out.String(), "claim, Figure 3"); n != 2 {
		t.Errorf("%d claims in\n%s", n, out.String())
	}
	for _, want := range projections() {
		found := false
		for _, text := range p.Texts {
			found = found || text.Text == want.name
		}
		if !found {
			t.Errorf("no %s in the picture", want.name)
		}
	}
	dims, _ := figureSizes(true)
	for _, d := range dims {
		if !strings.Contains(out.String(), "\n"+strconv.Itoa(d)+" ") {
			t.Errorf("no row for %d in\n%s", d, out.String())
		}
	}
}
