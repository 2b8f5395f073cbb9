package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func sameSets(a, b [][]int) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, slices.Equal[[]int])
}

func TestReadLabelSets(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          LIBSVMOptions
		ptr        []int
		classes    string
		sets       [][]int
	}{
		{"numbers", "3,1 1:1\n10 2:1\n", LIBSVMOptions{}, []int{0, 1, 2}, "1 3 10", [][]int{{0, 1}, {2}}},
		{"one number, spelled in four ways", "1,1.0 1:1\n+1,01 2:1\n", LIBSVMOptions{}, []int{0, 1, 2}, "1",
			[][]int{{0}, {0}}},
		{"names", "sun,sea 1:1\nsea 2:1\n4,sea\n", LIBSVMOptions{}, []int{0, 1, 2, 2}, "sun sea 4",
			[][]int{{0, 1}, {1}, {1, 2}}},
		{"empty sets", " 1:1\n1:2\n\t 2:0\n2 # c\n\n# c\n \n1 1:1\n", LIBSVMOptions{}, []int{0, 1, 2, 2, 2, 3}, "1 2",
			[][]int{{}, {}, {}, {1}, {0}}},
		{"only empty sets", "1:1\n", LIBSVMOptions{}, []int{0, 1}, "", [][]int{{}}},
		{"groups", "1,2 qid:3 1:1\nqid:3 1:1\n qid:4 2:1", LIBSVMOptions{}, []int{0, 1, 2, 3}, "1 2",
			[][]int{{0, 1}, {}, {}}},
		{"blanks before labels", "  2,1 1:1", LIBSVMOptions{}, []int{0, 1}, "1 2", [][]int{{0, 1}}},
		{"given", "2,7 1:1", LIBSVMOptions{Classes: []string{"7", "8", "2.0"}}, []int{0, 1}, "7 8 2.0",
			[][]int{{0, 2}}},
		{"unseen", "a,b,c 1:1\nc 1:1", LIBSVMOptions{Classes: []string{"b", "x"}, DropUnseen: true}, []int{0, 1, 2},
			"b x", [][]int{{0}, {}}},
	} {
		c.o.Sets = true
		for how, r := range map[string]io.Reader{"": strings.NewReader(c.text), " slowly": slowly(c.text),
			" gz": bytes.NewReader(packed([]byte(c.text)))} {
			d, err := ReadLIBSVM[float64](r, "f", c.o)
			if err != nil {
				t.Errorf("%s%s: %v", c.name, how, err)
				continue
			}
			if d.X.Validate() != nil || !slices.Equal(d.X.Ptr, c.ptr) || strings.Join(d.Classes, " ") != c.classes ||
				!sameSets(d.Sets, c.sets) {
				t.Errorf("%s%s: rows %v, classes %q, sets %v", c.name, how, d.X.Ptr, d.Classes, d.Sets)
			}
			if d.Y != nil || d.Values != nil || d.DroppedRows != 0 || c.o.DropUnseen != (d.DroppedLabels == 3) {
				t.Errorf("%s%s: %+v", c.name, how, d)
			}
		}
	}
}

func TestLabelSetsNameThePlace(t *testing.T) {
	for _, c := range []struct {
		text  string
		o     LIBSVMOptions
		place string
		parts []string
	}{
		{"1 1:1\n1,,2 1:1\n", LIBSVMOptions{}, "f:2:3", []string{`",2"`, "a label at each side of a comma"}},
		{",1 1:1\n", LIBSVMOptions{}, "f:1:1", []string{`",1"`}},
		{"  1, 1:1\n", LIBSVMOptions{}, "f:1:5", []string{`""`, "comma"}},
		{"1, 2 1:1\n", LIBSVMOptions{}, "f:1:3", []string{"comma"}},
		{"1 2 1:1\n", LIBSVMOptions{}, "f:1:4", []string{"':'"}},
		{"1,2 x:1\n", LIBSVMOptions{}, "f:1:5", []string{"index:value"}},
		{"1\n\n1,5,2 1:1\n", LIBSVMOptions{Classes: []string{"2", "1"}}, "f:3:3",
			[]string{`"5,2"`, `one of ["2" "1"]`}},
		{"1 1:1\n 3:1 2:1\n", LIBSVMOptions{}, "f:2:6", []string{"above the one before it, 3"}},
		{"1 2:1", LIBSVMOptions{Cols: 1}, "f:1:3", []string{"at most 1"}},
		{"1 2147483647:1", LIBSVMOptions{}, "f:1:3", []string{"option Cols"}},
		{"1 qid:1 1:1\n1:1", LIBSVMOptions{}, "f:2:1", []string{"qid:number"}},
		{"1,2\n", LIBSVMOptions{}, "f:2:1", []string{"feature"}},
		{"", LIBSVMOptions{}, "f:1:1", []string{"an example"}},
		{strings.Repeat("a,", 1<<16), LIBSVMOptions{}, "f:1:1", []string{"64 KiB"}},
	} {
		c.o.Sets = true
		_, err := ReadLIBSVM[float32](strings.NewReader(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	_, err := ReadLIBSVM[float32](strings.NewReader("1 1:1"), "f",
		LIBSVMOptions{Sets: true, Classes: []string{"1", "1"}})
	checkMessage(t, err, []string{"classes 0 and 1", `"1"`})
	_, err = ReadLIBSVM[float32](strings.NewReader("1,2 1:1"), "f", LIBSVMOptions{})
	checkPlace(t, err, "f:1:1", "the option Sets")
}

func TestLabelSetsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for round := range 200 {
		x := &CSR[float32]{Rows: 1 + rng.IntN(9), Cols: 1 + rng.IntN(5), Ptr: []int{0}}
		l := Labels{Classes: []string{"\ufeffsea", "\x1f\x8b", "sun", "4"}}
		for range x.Rows {
			set := rng.Perm(4)[:rng.IntN(5)]
			slices.Sort(set)
			l.Sets = append(l.Sets, set)
			for j := range x.Cols {
				if rng.IntN(3) == 0 {
					x.Idx, x.Val = append(x.Idx, int32(j)), append(x.Val, float32(rng.NormFloat64()))
				}
			}
			x.Ptr = append(x.Ptr, len(x.Val))
		}
		o := LIBSVMOptions{Sets: true, ZeroBased: round%2 == 0, Cols: x.Cols, Classes: l.Classes}
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, &Labeled[*CSR[float32]]{X: x, Labels: l}, o); err != nil {
			t.Fatal(err)
		}
		d, err := ReadLIBSVM[float32](bytes.NewReader(text.Bytes()), "f", o)
		if err != nil || !sameCSR(d.X, x) || !sameLabels(d.Labels, l) || !sameSets(d.Sets, l.Sets) {
			t.Fatalf("%v, %v written as %q, read as %v (%v)", x, l, text.Bytes(), d, err)
		}
	}
}

// Zeros that a matrix stores are not written, but an example without label and nonzero is one line all the same.
func TestWriteEmptyExamples(t *testing.T) {
	x := &CSR[float32]{Rows: 3, Cols: 2, Ptr: []int{0, 1, 1, 3}, Idx: []int32{1, 0, 1}, Val: []float32{0, 0, 5}}
	for first, want := range []string{" 1:0\n 1:0\n 2:5\n", " 0:0\n 0:0\n 1:5\n"} {
		var text bytes.Buffer
		d := &Labeled[*CSR[float32]]{X: x, Labels: Labels{Sets: [][]int{nil, nil, nil}}}
		if err := WriteLIBSVM(&text, d, LIBSVMOptions{ZeroBased: first == 1}); err != nil || text.String() != want {
			t.Errorf("wrote %q, %v, want %q", text.String(), err, want)
		}
	}
}

func TestWriteLabelSetsErrors(t *testing.T) {
	x := &CSR[float32]{Rows: 1, Cols: 1, Ptr: []int{0, 0}}
	long := strings.Repeat("x", 1<<15)
	for _, c := range []struct {
		l     Labels
		parts []string
	}{
		{Labels{Sets: [][]int{{}, {}}}, []string{"2 label sets", "1 examples"}},
		{Labels{Sets: [][]int{{}}, Y: []int{0}}, []string{"1 label sets, 1 classes", "sets alone"}},
		{Labels{Sets: [][]int{{1}}, Classes: []string{"a"}}, []string{"class 1 of example 0, want one in 0..0"}},
		{Labels{Sets: [][]int{{-1}}, Classes: []string{"a"}}, []string{"class -1 of example 0"}},
		{Labels{Sets: [][]int{{1, 0}}, Classes: []string{"a", "b"}}, []string{"class 0 of example 0 after class 1"}},
		{Labels{Sets: [][]int{{0, 0}}, Classes: []string{"a"}}, []string{"class 0 of example 0 after class 0"}},
		{Labels{Sets: [][]int{{}}, Classes: []string{"a", ""}}, []string{`class 1, ""`}},
		{Labels{Sets: [][]int{{}}, Classes: []string{"a b"}}, []string{`class 0, "a b"`}},
		{Labels{Sets: [][]int{{}}, Classes: []string{"a:b"}}, []string{`class 0, "a:b"`}},
		{Labels{Sets: [][]int{{0, 1}}, Classes: []string{long, long + "x"}}, []string{"example 0 take 65539 bytes",
			"65536"}},
	} {
		err := WriteLIBSVM(io.Discard, &Labeled[*CSR[float32]]{X: x, Labels: c.l}, LIBSVMOptions{})
		checkMessage(t, err, c.parts)
	}
	err := WriteCSV(io.Discard, &Labeled[*Dense[float32]]{X: &Dense[float32]{}, Labels: Labels{Sets: [][]int{{}}}})
	checkMessage(t, err, []string{"1 label sets"})
}

// Public sets: the sizes that their collections name.
func TestPublicLabelSets(t *testing.T) {
	folder := os.Getenv("DUALGAP_DATA")
	if folder == "" {
		t.Skip("DUALGAP_DATA is not set")
	}
	for _, c := range []struct {
		file    string
		n, d, m int
		mean    string // labels an example, over this file
	}{
		{"emotions-train", 391, 72, 6, ""},
		{"yeast-test", 917, 103, 14, ""},
		{"rcv1sub1", 6000, 47236, 101, "2.880"},
	} {
		o := LIBSVMOptions{Sets: true, Cols: c.d}
		d, err := OpenLIBSVM[float32](filepath.Join(folder, c.file+".mlsvm.gz"), o)
		if err != nil {
			t.Error(err)
			continue
		}
		labels := 0
		for _, set := range d.Sets {
			labels += len(set)
		}
		mean := fmt.Sprintf("%.3f", float64(labels)/float64(c.n))
		if d.X.Rows != c.n || len(d.Sets) != c.n || len(d.Classes) != c.m || c.mean != "" && mean != c.mean {
			t.Errorf("%s: %d examples, %d sets, %d classes, %s labels an example", c.file, d.X.Rows, len(d.Sets),
				len(d.Classes), mean)
		}
		var text bytes.Buffer
		if err := WriteLIBSVM(&text, d, o); err != nil {
			t.Error(err)
		}
		again, err := ReadLIBSVM[float32](&text, "f", o)
		if err != nil || !sameCSR(again.X, d.X) || !sameSets(again.Sets, d.Sets) {
			t.Errorf("%s: not the same when read again (%v)", c.file, err)
		}
	}
}

func TestReadLabelSetsDoesNotAllocatePerLine(t *testing.T) {
	text := strings.Repeat("12,3,71 1:0.25 7:3.125 12:1e-3\n 1:1\n", 20000)
	n := prove.Allocs(2, func() {
		if _, err := ReadLIBSVM[float32](strings.NewReader(text), "f", LIBSVMOptions{Sets: true}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 250 {
		t.Errorf("%v allocations for 40000 lines", n)
	}
}

func FuzzLabelSets(f *testing.F) {
	for _, s := range []string{"1,2 1:1\n 3:1\n2:1 3:4\n", "b,a qid:3 1:1\nqid:3", "1,1.0,+1 1:0\n\n \n1",
		"\ufeff \ufeffx 1:1", " \x1f\x8b 1:1", ",1 1:1", "1e15,nan 1:1e-46", "a,,b"} {
		f.Add([]byte(s), false, uint16(0))
		f.Add([]byte(s), true, uint16(5))
	}
	f.Add(packed([]byte("1,3 1:1\n 2:1\n")), false, uint16(0))
	for _, file := range damage.Seeds([]byte(strings.ReplaceAll(radarText, "1 qid", "1,2 qid")), damage.Text, 20) {
		f.Add(file, false, uint16(0))
	}
	f.Fuzz(func(t *testing.T, in []byte, zero bool, cols uint16) {
		o := LIBSVMOptions{Sets: true, ZeroBased: zero, Cols: int(cols), MaxBytes: fuzzBytes}
		fuzzLabelSets[float32](t, in, o)
		o.Classes, o.DropUnseen = []string{"1", "2"}, true
		fuzzLabelSets[float64](t, in, o)
	})
}

func fuzzLabelSets[T vec.Float](t *testing.T, in []byte, o LIBSVMOptions) {
	d, err := ReadLIBSVM[T](bytes.NewReader(in), "f", o)
	if err != nil {
		checkPlaced(t, err, nil)
		return
	}
	if err := d.X.Validate(); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	o.Cols = d.X.Cols
	if err := WriteLIBSVM(&text, d, o); err != nil {
		if strings.Contains(err.Error(), "bytes, want less than") {
			return // numbers are written in a form that may be longer than the one read
		}
		t.Fatal(err)
	}
	o.MaxBytes = 0
	again, err := ReadLIBSVM[T](bytes.NewReader(text.Bytes()), "f", o)
	if err != nil || !sameCSR(d.X, again.X) || !sameLabels(d.Labels, again.Labels) || !sameSets(d.Sets, again.Sets) ||
		!slices.Equal(d.Groups, again.Groups) {
		t.Fatalf("read %v %v, wrote %q, read that as %v (%v)", d.X, d.Labels, text.Bytes(), again, err)
	}
}

func BenchmarkReadLabelSets(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	var text bytes.Buffer // of the shape of RCV1
	for range 2000 {
		line := appendInt(nil, 1+rng.Int64N(40))
		for range rng.IntN(5) {
			line = appendInt(append(line, ','), 1+rng.Int64N(101))
		}
		for j := int64(1 + rng.IntN(600)); j < 47236; j += 1 + rng.Int64N(1200) {
			line = fmt.Appendf(line, " %d:%.6f", j, rng.Float32()/4)
		}
		text.Write(append(line, '\n'))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadLIBSVM[float32](bytes.NewReader(text.Bytes()), "f", LIBSVMOptions{Sets: true}); err != nil {
			b.Fatal(err)
		}
	}
}
