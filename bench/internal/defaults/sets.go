package defaults

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
)

type examples = dataset.Labeled[*dataset.Dense[float64]]

// sets are the rows of the table.
var sets = []struct {
	name string
	open func(data string) (*examples, error)
}{
	{"letter", csv("letter.csv.gz")},
	{"satimage", csv("satimage.csv.gz")},
	{"spambase", embedded(samples.Spambase[float64])},
	{"red wine", embedded(samples.RedWine[float64])},
	{"white wine", embedded(samples.WhiteWine[float64])},
	{"ionosphere", embedded(samples.Ionosphere[float64])},
	{"digits", embedded(samples.Digits[float64])},
}

func embedded(of func() *examples) func(string) (*examples, error) {
	return func(string) (*examples, error) { return of(), nil }
}

func csv(name string) func(string) (*examples, error) {
	return func(data string) (*examples, error) {
		return dataset.OpenCSV[float64](filepath.Join(data, name), dataset.CSVOptions{})
	}
}

// set is examples to learn from, and others to test on.
type set struct{ train, test *examples }

// few is up to how many examples every quarter is held out once, and the accuracy counts all of them.
const few = 2000

// quarters returns how many quarters are held out.
func quarters(all *examples) int {
	if all.X.Rows < few {
		return 4
	}
	return 1
}

// split holds out every fourth example of each class, from number 3-quarter of the class on.
func split(all *examples, quarter int) *set {
	seen := make([]int, len(all.Classes))
	var places [2][]int
	for i, c := range all.Y {
		part := 0
		if (seen[c]+quarter)%4 == 3 {
			part = 1
		}
		seen[c]++
		places[part] = append(places[part], i)
	}
	var parts [2]*examples
	for k, rows := range places {
		d := &examples{X: &dataset.Dense[float64]{}}
		d.X.Rows, d.X.Cols, d.X.Stride, d.Classes = len(rows), all.X.Cols, all.X.Cols, all.Classes
		d.X.Data = make([]float64, len(rows)*all.X.Cols)
		all.X.Gather(d.X.Matrix, rows)
		for _, i := range rows {
			d.Y = append(d.Y, all.Y[i])
		}
		parts[k] = d
	}
	return &set{parts[0], parts[1]}
}

// files are the files of a set: CSV of raw numbers, and LIBSVM text of scaled ones with the numbers of the classes as
// labels.
type files struct {
	csv, svm [2]string // to learn from, and to test on
	features int
}

// write writes the files into dir, in place of the files of the last set.
func (s *set) write(dir, scaling string) (*files, error) {
	f := &files{features: s.train.X.Cols}
	scale := &dataset.Scaling{}
	if scaling == "standard" {
		var err error
		if scale, err = dataset.Standardize(s.train.X); err != nil {
			return nil, err
		}
	}
	for k, d := range []*examples{s.train, s.test} {
		name := filepath.Join(dir, [2]string{"train", "test"}[k])
		f.csv[k], f.svm[k] = name+".csv", name+".svm"
		x, err := d.X.Scaled(scale)
		if err != nil {
			return nil, err
		}
		sparse, err := x.CSR()
		if err != nil {
			return nil, err
		}
		numbered := &dataset.Labeled[*dataset.CSR[float64]]{X: sparse,
			Labels: dataset.Labels{Y: d.Y, Classes: d.Classes}}
		for path, write := range map[string]func(io.Writer) error{
			f.csv[k]: func(w io.Writer) error { return dataset.WriteCSV(w, d) },
			f.svm[k]: func(w io.Writer) error { return dataset.WriteLIBSVM(w, numbered, dataset.LIBSVMOptions{}) },
		} {
			if err := written(path, write); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

func written(path string, write func(io.Writer) error) error {
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(to); err != nil {
		to.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return to.Close()
}
