package data

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/descriptor"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// How the features of Caltech-101 are made.
const (
	caltechFolder = "caltech101-feat"
	mostOfClass   = 60
	trainOfClass  = 30
	longSide      = 300 // pixels, of an image at most
	patchesOf     = 30  // a training image's patches that the words and Gaussians are learned from
	words         = 300
	gaussians     = 16
	caltechSeed   = 1
)

// picture is an image of a class, from 1 on.
type picture struct {
	label             int
	part, class, file string
}

// seen is an image, and patches of it.
type seen struct {
	rgb     [3]descriptor.Plane
	grey    descriptor.Plane
	patches descriptor.Patches
}

// learned is what descriptors need that training images teach.
type learned struct {
	gist    *descriptor.Gist
	words   vec.Matrix[float32]
	mixture *descriptor.Mixture
}

// cue is a descriptor, and how a file holds it: its root in bytes, as counts, or with signs.
type cue struct {
	name, kind string
	of         func(l *learned, s *seen) []float32
}

const root, count, signed = "root", "count", "signed"

var cues = []cue{
	{"phog180", root, func(l *learned, s *seen) []float32 { return descriptor.PHOG(s.grey, 180, 20, 4) }},
	{"phog360", root, func(l *learned, s *seen) []float32 { return descriptor.PHOG(s.grey, 360, 40, 3) }},
	{"lbp", root, func(l *learned, s *seen) []float32 { return descriptor.LBP(s.grey, 3) }},
	{"hsv", root, func(l *learned, s *seen) []float32 { return descriptor.HSV(s.rgb, 2) }},
	{"gist", root, func(l *learned, s *seen) []float32 { return l.gist.Of(s.grey) }},
	{"bow", count, func(l *learned, s *seen) []float32 { return descriptor.Counts(s.patches, l.words, 3) }},
	{"fv", signed, func(l *learned, s *seen) []float32 { return l.mixture.FisherVector(s.patches.X) }},
}

// makeCaltech makes the folder caltech101-feat of dir from images from/CLASS/NAME.jpg. The images are the ones that its
// index.tsv names, if it is there, else at most 60 a class in the order of their names, 30 of them to train.
func makeCaltech(ctx context.Context, out io.Writer, from, dir string) error {
	dir = filepath.Join(dir, caltechFolder)
	made := []string{"scales.tsv"}
	for _, c := range cues {
		made = append(made, c.name+".npy.gz")
	}
	for _, name := range made {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s has %s: want a folder without features, which fit each other only if made together",
				dir, name)
		}
	}
	pictures, err := chosen(from, filepath.Join(dir, "index.tsv"))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%d images\n", len(pictures)); err != nil {
		return err
	}
	l, err := learn(ctx, from, pictures)
	if err != nil {
		return err
	}
	features := make([]vec.Matrix[float32], len(cues))
	err = eachPicture(ctx, from, pictures, func(i int, s *seen) {
		for c, cue := range cues {
			copy(features[c].Row(i), cue.of(l, s))
		}
	}, func(s *seen) {
		for c, cue := range cues {
			features[c] = vec.NewMatrix[float32](len(pictures), len(cue.of(l, s)))
		}
	})
	if err != nil {
		return err
	}
	return writeCaltech(out, dir, pictures, features)
}

// chosen returns the images that the file index names, or where there is none those that a new one is to name.
func chosen(from, index string) (pictures []picture, err error) {
	text, err := os.ReadFile(index)
	if err == nil {
		for k, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
			fields := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
			if len(fields) != 5 || !filepath.IsLocal(filepath.Join(fields[3], fields[4])) {
				return nil, fmt.Errorf("%s, line %d: %q, want row, label, split, class and file", index, k+2, line)
			}
			label, err := strconv.Atoi(fields[1])
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", index, k+2, err)
			}
			pictures = append(pictures, picture{label, fields[2], fields[3], fields[4]})
		}
		return pictures, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	folders, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	label := 0
	for _, class := range folders {
		files, err := filepath.Glob(filepath.Join(from, class.Name(), "*.jpg"))
		if err != nil || len(files) == 0 {
			continue
		}
		label++
		n := min(len(files), mostOfClass)
		order := rand.New(rand.NewPCG(caltechSeed, uint64(label))).Perm(n)
		for i, file := range files[:n] {
			part := "test"
			if order[i] < min(trainOfClass, n-1) {
				part = "train"
			}
			pictures = append(pictures, picture{label, part, class.Name(), filepath.Base(file)})
		}
	}
	if label < 2 {
		return nil, fmt.Errorf("-from %s: %d folders with images CLASS/NAME.jpg, want two at least", from, label)
	}
	return pictures, nil
}

// learn learns words and Gaussians from patches of the training images, evenly spaced in each.
func learn(ctx context.Context, from string, pictures []picture) (*learned, error) {
	var train []picture
	for _, p := range pictures {
		if p.part == "train" {
			train = append(train, p)
		}
	}
	parts := make([]vec.Matrix[float32], len(train))
	err := eachPicture(ctx, from, train, func(i int, s *seen) {
		x := s.patches.X
		n := min(x.Rows, patchesOf)
		parts[i] = vec.NewMatrix[float32](n, x.Cols)
		for r := range n {
			copy(parts[i].Row(r), x.Row(r*x.Rows/n))
		}
	}, nil)
	if err != nil {
		return nil, err
	}
	var all vec.Matrix[float32]
	for _, p := range parts {
		all = vec.MatrixOf(all.Rows+p.Rows, max(all.Cols, p.Cols), append(all.Data, p.Data...))
	}
	if all.Rows < words {
		return nil, fmt.Errorf("%d patches with contrast in %d training images, want %d at least", all.Rows, len(train),
			words)
	}
	l := &learned{gist: descriptor.NewGist(), words: descriptor.Words(all, words, 20, caltechSeed)}
	l.mixture, _ = descriptor.EM(all, descriptor.Words(all, gaussians, 10, caltechSeed), 30, 1e-2)
	return l, ctx.Err()
}

// eachPicture calls f for each image, on all cores, and before that begin, if there is one, with the first.
func eachPicture(
	ctx context.Context, from string, pictures []picture, f func(i int, s *seen), begin func(*seen),
) error {
	if len(pictures) == 0 {
		return fmt.Errorf("no images to train on")
	}
	if begin != nil {
		s, err := see(from, pictures[0])
		if err != nil {
			return err
		}
		begin(s)
	}
	errs := make([]error, len(pictures))
	parallel.Do(runtime.GOMAXPROCS(0), len(pictures), func(_, i int) {
		if ctx.Err() != nil {
			return
		}
		s, err := see(from, pictures[i])
		if err != nil {
			errs[i] = err
			return
		}
		f(i, s)
	})
	return errors.Join(ctx.Err(), errors.Join(errs...))
}

func see(from string, p picture) (*seen, error) {
	path := filepath.Join(from, p.class, p.file)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := jpeg.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if b := m.Bounds(); min(b.Dx(), b.Dy()) < 1 {
		return nil, fmt.Errorf("%s: %d by %d pixels", path, b.Dx(), b.Dy())
	}
	s := &seen{rgb: descriptor.Planes(m)}
	w, h := descriptor.Fit(s.rgb[0].W, s.rgb[0].H, longSide)
	for c, p := range s.rgb {
		s.rgb[c] = p.Resize(w, h)
	}
	s.grey = descriptor.Grey(s.rgb)
	s.patches = descriptor.SIFT(s.grey)
	return s, nil
}

// writeCaltech writes the features of the images, which it changes, their scales, and an index where there is none.
func writeCaltech(out io.Writer, dir string, pictures []picture, features []vec.Matrix[float32]) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var index, scales strings.Builder
	index.WriteString("row\tlabel\tsplit\tclass\tfile\n")
	for i, p := range pictures {
		fmt.Fprintf(&index, "%d\t%d\t%s\t%s\t%s\n", i, p.label, p.part, p.class, p.file)
	}
	scales.WriteString("feature\tshape\tdtype\tscale\n")
	for c, cue := range cues {
		x := &dataset.Dense[float32]{Matrix: features[c]}
		o, name := cue.packed(x.Data), cue.name+".npy.gz"
		if _, err := packed(filepath.Join(dir, name), func(w io.Writer) error {
			return dataset.WriteNPY(w, x, o)
		}); err != nil {
			return err
		}
		dtype := map[string]string{"u1": "uint8", "i1": "int8"}[o.Type]
		fmt.Fprintf(&scales, "%s\t%dx%d\t%s\t%.8g\n", cue.name, x.Rows, x.Cols, dtype, o.Scale)
		if _, err := fmt.Fprintf(out, "%-42s made\n", caltechFolder+"/"+name); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "index.tsv")); err != nil {
		if err := os.WriteFile(filepath.Join(dir, "index.tsv"), []byte(index.String()), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "scales.tsv"), []byte(scales.String()), 0o666)
}

// packed makes numbers what the file holds, and returns how it holds them: the largest as 255, or as 127 with signs.
func (c cue) packed(x []float32) dataset.NPYOptions {
	switch c.kind {
	case root:
		vec.Sqrt(x, x)
	case count:
		vec.Clip(x, x, 0, math.MaxUint8)
		return dataset.NPYOptions{Type: "u1", Scale: 1}
	}
	o, most, steps := dataset.NPYOptions{Type: "u1", Scale: 1}, float64(max(vec.Max(x), -vec.Min(x))), 255.0
	if c.kind == signed {
		o.Type, steps = "i1", 127
	}
	if most > 0 {
		o.Scale, _ = strconv.ParseFloat(fmt.Sprintf("%.8g", most/steps), 64)
	}
	return o
}
