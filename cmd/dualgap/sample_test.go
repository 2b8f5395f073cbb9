package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/vec"
)

// TestSample: what is written reads back to the same numbers and labels, in both formats, packed or not, and a part for
// tests leaves no example out. With -short the images are written once, with their attributes.
func TestSample(t *testing.T) {
	for _, set := range sampleSets {
		if testing.Short() && set.name == "fashion" {
			continue
		}
		dir := t.TempDir()
		train, test := set.open()
		parts := []*labeled{train, test}
		if test == nil {
			parts[0], parts[1] = split(train)
			if n := parts[0].X.Rows + parts[1].X.Rows; n != train.X.Rows {
				t.Errorf("%s: %d examples in two parts, want %d", set.name, n, train.X.Rows)
			}
			for class := range train.Classes {
				of := func(y []int) (n int) {
					for _, c := range y {
						if c == class {
							n++
						}
					}
					return n
				}
				if all, some := of(train.Y), of(parts[1].Y); some != all/4 {
					t.Errorf("%s, class %d: %d of %d examples are for the test", set.name, class, some, all)
				}
			}
		}
		for _, ending := range []string{".svm.gz", ".csv"} {
			if ending == ".csv" && (train.Sets != nil || train.X.Rows*train.X.Cols > 1<<20) {
				continue // which holds one label; sets of fewer numbers show that it can be read
			}
			names := []string{filepath.Join(dir, "train"+ending), filepath.Join(dir, "test"+ending)}
			if code, _, text := command(t, "sample", set.name, names[0], names[1]); code != 0 {
				t.Fatalf("%s: exit code %d: %s", set.name, code, text)
			}
			for p, part := range parts {
				got, err := data.Open[float32](names[p], data.Options{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				y := func(l *labeled, i int) string { return l.Classes[l.Y[i]] }
				row, want := make([]float32, part.X.Cols), make([]float32, part.X.Cols)
				for i := range part.X.Rows {
					_, d := got.X.Dims()
					clear(row)
					got.X.Gather(vec.Matrix[float32]{Rows: 1, Cols: d, Stride: d, Data: row}, []int{i})
					if copy(want, part.X.Row(i)); !slices.Equal(row, want) {
						t.Fatalf("%s, %s: example %d has other numbers", set.name, names[p], i)
					}
					if part.Sets != nil {
						if !slices.Equal(namesOf(got.Sets[i], got.Classes), namesOf(part.Sets[i], part.Classes)) {
							t.Fatalf("%s: example %d has the labels %v, want %v", set.name, i, got.Sets[i],
								part.Sets[i])
						}
					} else if read := got.Classes[got.Y[i]]; ending == ".csv" && read != y(part, i) {
						t.Fatalf("%s, %s: example %d has label %q, want %q", set.name, names[p], i, read, y(part, i))
					}
				}
			}
		}
	}
}

// TestSampleHelp: without a name all sets are listed; a wrong one is told from the right ones.
func TestSampleHelp(t *testing.T) {
	code, text, _ := command(t, "sample")
	for _, set := range sampleSets {
		if code != 0 || !strings.Contains(text, "\n"+set.name+" ") {
			t.Errorf("exit code %d, %q lacks %s", code, text, set.name)
		}
	}
	for _, args := range [][]string{{"sample", "iris", "x.svm"}, {"sample", "digits"}} {
		if code, _, text := command(t, args...); code != misused || !strings.Contains(text, "digits") {
			t.Errorf("%v: exit code %d: %s", args, code, text)
		}
	}
}

// namesOf returns the names of some classes, sorted.
func namesOf(set []int, classes []string) (names []string) {
	for _, c := range set {
		names = append(names, classes[c])
	}
	slices.Sort(names)
	return names
}
