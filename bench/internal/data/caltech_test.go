package data_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/caltech"
	"github.com/dualgap/dualgap/bench/internal/data"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/vec"
)

// photograph writes an image of coarse noise.
func photograph(t *testing.T, path string, seed uint64) {
	t.Helper()
	m, r := image.NewRGBA(image.Rect(0, 0, 64, 48)), rand.New(rand.NewPCG(seed, 0))
	for y := 0; y < 48; y += 4 {
		for x := 0; x < 64; x += 4 {
			c := color.RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255}
			for k := range 16 {
				m.Set(x+k%4, y+k/4, c)
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(path)
	if err == nil {
		err = errors.Join(jpeg.Encode(out, m, nil), out.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMakeCaltech: of a folder of images the files are made that package caltech reads, in the sizes and encodings of
// the listed ones. An index that is there names the images; features that are there are not touched.
func TestMakeCaltech(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	for class, n := range map[string]int{"Bells": 14, "ants": 3} {
		for i := range n {
			photograph(t, filepath.Join(from, class, fmt.Sprintf("image_%04d.jpg", i+1)), uint64(len(class)*100+i))
		}
	}
	run := func(ctx context.Context, dir string) error {
		return data.Run(ctx, []string{"make", "caltech", "-from", from, "-data", dir}, io.Discard, io.Discard)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if err := run(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	images, err := caltech.Open(report.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if images.Classes != 2 || len(images.Y) != 13+2 || len(images.TestY) != 2 {
		t.Errorf("%d classes, %d images to train, %d to test", images.Classes, len(images.Y), len(images.TestY))
	}
	for cue, want := range map[string]struct {
		columns     int
		squaredNorm float64
	}{"phog180": {1700, 4}, "phog360": {840, 3}, "lbp": {1239, 3}, "hsv": {540, 2}, "gist": {512, 0}, "bow": {6300, 1},
		"fv": {4096, 1}} {
		train, test, err := images.Cue(cue)
		if err != nil {
			t.Fatal(err)
		}
		if train.Cols != want.columns || test.Cols != want.columns {
			t.Errorf("%s: %d columns, want %d", cue, train.Cols, want.columns)
		}
		for i := range train.Rows {
			norm := float64(vec.SquaredNorm(train.Row(i)))
			if want.squaredNorm > 0 && !(math.Abs(norm-want.squaredNorm) < 0.02*want.squaredNorm) {
				t.Errorf("%s, image %d: squared norm %v, want %v", cue, i, norm, want.squaredNorm)
			}
		}
	}
	if err := run(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "has scales.tsv") {
		t.Errorf("again: %v", err)
	}
	t.Run("index", func(t *testing.T) { given(t, from, run) })
}

// given tries an index that is there, and images that are none.
func given(t *testing.T, from string, run func(context.Context, string) error) {
	const head = "row\tlabel\tsplit\tclass\tfile\n"
	for index, want := range map[string]string{
		"0\t1\ttrain\tants\tno.jpg\n":              "no.jpg",
		"0\t1\ttrain\tants\n":                      "line 2",
		"0\tx\ttrain\tants\timage_0001.jpg\n":      "line 2",
		"0\t1\ttrain\t..\timage_0001.jpg\n":        "line 2",
		"0\t1\ttest\tants\timage_0001.jpg\n":       "no images to train on",
		"0\t1\ttrain\tants\timage_0001.jpg\n":      "30 patches with contrast in 1 training images, want 300",
		"0\t1\ttrain\tants\tbroken.jpg\n":          "broken.jpg: ",
		"0\t1\ttrain\tBells\timage_0001.jpg\r\n\n": "30 patches",
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "caltech101-feat"), 0o777); err != nil {
			t.Fatal(err)
		}
		for path, content := range map[string]string{filepath.Join(dir, "caltech101-feat", "index.tsv"): head + index,
			filepath.Join(from, "ants", "broken.jpg"): "no image"} {
			if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := run(t.Context(), dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", index, err, want)
		}
	}
}
