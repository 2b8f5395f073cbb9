package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestProjections: the file is XML with a line for each projection, the table has a row for each dimension.
func TestProjections(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figure.svg")
	var out, errs strings.Builder
	if err := run(context.Background(), []string{"-quick", "-projections", file}, &out, &errs); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
			lines++
		}
	}
	if lines != len(projections()) {
		t.Errorf("%d lines", lines)
	}
	dims, _ := figureSizes(true)
	for _, d := range dims {
		if !strings.Contains(out.String(), "\n"+strings.Repeat(" ", 10-len(strconv.Itoa(d)))+strconv.Itoa(d)+" ") {
			t.Errorf("no row for %d in\n%s", d, out.String())
		}
	}
	if strings.Contains(out.String(), "Dot") {
		t.Error("kernels are measured, too")
	}
}
