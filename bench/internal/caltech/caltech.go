// Package caltech reads the features of the images of Caltech-101 from a folder.
package caltech

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// folder is where the files lie in the folder of the data.
const folder = "caltech101-feat"

// Images are the training and test images, of which each cue has a file of features.
type Images struct {
	Y, TestY []int // classes, from 0 on
	Classes  int

	dir    report.Folder
	rows   [2][]int // of the files: training and test images
	scales map[string]float64
}

// Open reads which images are for training, and their classes, from the folder caltech101-feat of dir.
func Open(dir report.Folder) (*Images, error) {
	index, err := table(dir, "index.tsv")
	if err != nil {
		return nil, err
	}
	scales, err := table(dir, "scales.tsv")
	if err != nil {
		return nil, err
	}
	m := &Images{dir: dir, scales: map[string]float64{}}
	for k, line := range index {
		class, err := strconv.Atoi(line[1]) // from 1 on
		if err != nil || class < 1 || class > len(index) {
			return nil, fmt.Errorf("index.tsv, line %d: class %q, want a number in 1..%d", k+2, line[1], len(index))
		}
		m.Classes = max(m.Classes, class)
		switch line[2] {
		case "train":
			m.Y, m.rows[0] = append(m.Y, class-1), append(m.rows[0], k)
		case "test":
			m.TestY, m.rows[1] = append(m.TestY, class-1), append(m.rows[1], k)
		default:
			return nil, fmt.Errorf("index.tsv, line %d: %q is neither train nor test", k+2, line[2])
		}
	}
	if len(m.Y) == 0 || len(m.TestY) == 0 {
		return nil, fmt.Errorf("index.tsv: %d training and %d test images, want some of both", len(m.Y), len(m.TestY))
	}
	for k, line := range scales {
		scale, err := strconv.ParseFloat(line[3], 64)
		if err != nil || !(scale > 0) || math.IsInf(scale, 1) {
			return nil, fmt.Errorf("scales.tsv, line %d: scale %q, want a positive number", k+2, line[3])
		}
		m.scales[line[0]] = scale
	}
	return m, nil
}

// Cue reads the features of all images by a cue: histograms by their Hellinger map, the square root of each part, so
// that inner products and Euclidean distances of the features are Hellinger's; Fisher vectors, fv, as they are. The
// counts of words, bow, are scaled to sum 1 before.
func (m *Images) Cue(name string) (train, test *dataset.Dense[float32], err error) {
	scale, ok := m.scales[name]
	if !ok {
		return nil, nil, fmt.Errorf("scales.tsv has no line for %q", name)
	}
	file := filepath.Join(folder, name+".npy.gz")
	paths, err := m.dir.Path(file)
	if err != nil {
		return nil, nil, err
	}
	x, err := read(paths[0], dataset.NPYOptions{Scale: scale})
	if err != nil {
		return nil, nil, err
	}
	if n := len(m.Y) + len(m.TestY); x.Rows != n {
		return nil, nil, fmt.Errorf("%s: %d images, but %d in index.tsv", file, x.Rows, n)
	}
	if name == "bow" {
		for i := range x.Rows {
			hellinger(x.Row(i))
		}
	}
	var parts [2]*dataset.Dense[float32]
	for k, rows := range m.rows {
		parts[k] = &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](len(rows), x.Cols)}
		x.Gather(parts[k].Matrix, rows)
	}
	return parts[0], parts[1], nil
}

// hellinger scales counts to sum 1 and takes their square roots. Where there are none they stay 0.
func hellinger(counts []float32) {
	sum := float64(vec.Sum(counts))
	if sum == 0 {
		return
	}
	for j, v := range counts {
		counts[j] = float32(math.Sqrt(float64(v) / sum))
	}
}

func read(path string, o dataset.NPYOptions) (*dataset.Dense[float32], error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return dataset.ReadNPY[float32](file, path, o)
}

// table returns the lines of a file of the folder behind the first, fields parted by tabs, four at least.
func table(dir report.Folder, name string) ([][]string, error) {
	paths, err := dir.Path(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	file, err := os.Open(paths[0])
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes = '\t', true
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) < 2 || len(lines[0]) < 4 {
		return nil, fmt.Errorf("%s: want a head and lines of four fields at least", name)
	}
	return lines[1:], nil
}
