package dataset

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/internal/prove"
)

func TestReadLIBSVM(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          LIBSVMOptions
		cols       int
		ptr        []int
		idx        []int32
		val        []float64
		classes    string
		y          []int
	}{
		{"plain", "+1 1:0.5 3:-2\n-1 2:1e2\n", LIBSVMOptions{}, 3, []int{0, 2, 3}, []int32{0, 2, 1},
			[]float64{.5, -2, 100}, "-1 1", []int{1, 0}},
		{"no last newline, CRLF, tabs", "3\t1:1 \r\n7 2:2", LIBSVMOptions{}, 2, []int{0, 1, 2}, []int32{0, 1},
			[]float64{1, 2}, "3 7", []int{0, 1}},
		{"comments and empty lines", "# head\n\n1 1:1 # two 2:2\n  \n2#x\n#end", LIBSVMOptions{}, 1, []int{0, 1, 1},
			[]int32{0}, []float64{1}, "1 2", []int{0, 1}},
		{"zero-based", "1 0:1 4:2\n", LIBSVMOptions{ZeroBased: true}, 5, []int{0, 2}, []int32{0, 4}, []float64{1, 2},
			"1", []int{0}},
		{"given d", "1 2:1\n", LIBSVMOptions{Cols: 10}, 10, []int{0, 1}, []int32{1}, []float64{1}, "1", []int{0}},
		{"zeros are columns, but not stored", "1 2:0 3:-0.0\n", LIBSVMOptions{}, 3, []int{0, 0}, nil, nil, "1",
			[]int{0}},
		{"qid", "1 qid:4 1:1\n", LIBSVMOptions{}, 1, []int{0, 1}, []int32{0}, []float64{1}, "1", []int{0}},
		{"given classes", "1 1:1\n1.0 1:1\n", LIBSVMOptions{Classes: []string{"5", "+1"}}, 1, []int{0, 1, 2},
			[]int32{0, 0}, []float64{1, 1}, "5 +1", []int{1, 1}},
		{"largest index", "1 2147483647:1\n", LIBSVMOptions{Cols: 1<<31 - 1}, 1<<31 - 1, []int{0, 1},
			[]int32{1<<31 - 2}, []float64{1}, "1", []int{0}},
		{"float labels, byte order mark", "\ufeff0.25 1:1\n-0 1:1\n0 1:1", LIBSVMOptions{}, 1, []int{0, 1, 2, 3},
			[]int32{0, 0, 0}, []float64{1, 1, 1}, "0 0.25", []int{1, 0, 0}},
	} {
		for how, r := range map[string]io.Reader{"": strings.NewReader(c.text), " slowly": slowly(c.text),
			" gz": bytes.NewReader(packed([]byte(c.text))), " with EOF": iotest.DataErrReader(
				strings.NewReader(c.text))} {
			d, err := ReadLIBSVM[float64](r, "f", c.o)
			if err != nil {
				t.Errorf("%s%s: %v", c.name, how, err)
				continue
			}
			want := &CSR[float64]{Rows: len(c.ptr) - 1, Cols: c.cols, Ptr: c.ptr, Idx: c.idx, Val: c.val}
			if !sameCSR(d.X, want) || d.X.Validate() != nil {
				t.Errorf("%s%s: %v, want %v", c.name, how, d.X, want)
			}
			if strings.Join(d.Classes, " ") != c.classes || !slices.Equal(d.Y, c.y) {
				t.Errorf("%s%s: classes %q, %v", c.name, how, d.Classes, d.Y)
			}
		}
	}
}

func TestReadLIBSVMNamesThePlace(t *testing.T) {
	zero := LIBSVMOptions{}
	for _, c := range []struct {
		text  string
		o     LIBSVMOptions
		place string
		parts []string
	}{
		{"", zero, "f:1:1", []string{"end of the file", "an example"}},
		{"# nothing\n\n", zero, "f:3:1", []string{"end of the file"}},
		{"1\n2\n", zero, "f:3:1", []string{"feature", "Cols"}},
		{"1 1:1\ncat 1:1\n", zero, "f:2:1", []string{`"cat"`, "a number as the label"}},
		{"1,2 1:1\n", zero, "f:1:1", []string{`"1,2"`, "list"}},
		{" 3:1 4:1\n", zero, "f:1:2", []string{`"3:1"`, "label"}},
		{"nan 1:1\n", zero, "f:1:1", []string{`"nan"`, "finite"}},
		{"1e999 1:1\n", zero, "f:1:1", []string{"float64"}},
		{"1 1:1 2:x\n", zero, "f:1:9", []string{`"x"`, "a number as the value"}},
		{"1 1:1 2:\n", zero, "f:1:9", []string{`""`}},
		{"1 1:1\n1 1:1\t20:NaN # c\n", zero, "f:2:10", []string{`"NaN"`, "finite"}},
		{"1 1:-inf\n", zero, "f:1:5", []string{`"-inf"`}},
		{"1 1:1e39\n", zero, "f:1:5", []string{`"1e39"`, "float32"}},
		{"1 1:1 2\n", zero, "f:1:8", []string{"':'"}},
		{"1 1:1 2x:3\n", zero, "f:1:8", []string{`"x:3"`, "':'"}},
		{"1 a:1\n", zero, "f:1:3", []string{`"a:1"`, "index:value"}},
		{"1 -1:1\n", zero, "f:1:3", []string{`"-1:1"`, "index:value"}},
		{"1 0:1\n", zero, "f:1:3", []string{`"0:1"`, "ZeroBased"}},
		{"1 3:1 3:2\n", zero, "f:1:7", []string{`"3:2"`, "above", "3"}},
		{"1 3:1 2:2\n", zero, "f:1:7", []string{`"2:2"`, "above", "3"}},
		{"1 3:1 qid:2\n", zero, "f:1:7", []string{`"qid:2"`}},
		{"1 2147483648:1\n", zero, "f:1:3", []string{"2147483647"}},
		{"1 99999999999999999999999999:1\n", zero, "f:1:3", []string{"2147483647"}},
		{"1 2147483647:1\n", LIBSVMOptions{ZeroBased: true}, "f:1:3", []string{"2147483646"}},
		{"1 11:1\n", LIBSVMOptions{Cols: 10}, "f:1:3", []string{`"11:1"`, "at most 10"}},
		{"1 10:1\n", LIBSVMOptions{Cols: 10, ZeroBased: true}, "f:1:3", []string{`"10:1"`, "at most 9"}},
		{"1 1:1\n2 1:1\n", LIBSVMOptions{Classes: []string{"1", "3"}}, "f:2:1", []string{`"2"`, `["1" "3"]`}},
		{"1 1:1\n\x00\x01\x02\n", zero, "f:2:1", []string{`"\x00\x01\x02"`}},
		{"1 1:1\n" + strings.Repeat("a", 1<<17), zero, "f:2:1", []string{"aaa", "64 KiB"}},
		{"1 1:1\n1 1:1\n", LIBSVMOptions{MaxBytes: 8}, "f:2:3", []string{"MaxBytes", "8"}},
		{"1 1:1\n1 1:1\n", LIBSVMOptions{MaxBytes: 7}, "f:2:1", []string{"MaxBytes", "7"}},
	} {
		_, err := ReadLIBSVM[float32](strings.NewReader(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
		_, err = ReadLIBSVM[float32](slowly(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	if _, err := ReadLIBSVM[float32](strings.NewReader("1 1:1"), "f", LIBSVMOptions{MaxBytes: 5}); err != nil {
		t.Errorf("5 bytes with MaxBytes 5: %v", err)
	}
	_, err := ReadLIBSVM[float32](strings.NewReader("1 1:1"), "f", LIBSVMOptions{Cols: -1})
	checkMessage(t, err, []string{"Cols", "-1"})
}

// A place beyond the reader's window is right as well.
func TestReadLIBSVMPlaceFarInTheFile(t *testing.T) {
	text := strings.Repeat("1 1:0.25 7:3 # "+strings.Repeat("long ", 20)+"\n", 5000) + "1 1:1 " +
		strings.Repeat(" ", 1<<17) + "2:?\n"
	_, err := ReadLIBSVM[float32](strings.NewReader(text), "f", LIBSVMOptions{})
	checkPlace(t, err, "f:5001:131081", `"?"`)
}

func TestReadTruncatedGzip(t *testing.T) {
	text := []byte(strings.Repeat("1 1:0.25 7:3\n", 1000))
	z := packed(text)
	for _, cut := range []int{3, 12, len(z) / 2, len(z) - 4} {
		_, err := ReadLIBSVM[float32](bytes.NewReader(z[:cut]), "f", LIBSVMOptions{})
		checkPlaced(t, err, io.ErrUnexpectedEOF)
		_, err = ReadCSV[float32](bytes.NewReader(z[:cut]), "f", CSVOptions{Comma: ' ', NoLabel: true})
		checkPlaced(t, err, nil)
		_, err = ReadIDX[float32](bytes.NewReader(z[:cut]), "f", IDXOptions{})
		checkPlaced(t, err, nil)
	}
	z[len(z)-5] ^= 1 // in the checksum
	_, err := ReadLIBSVM[float32](bytes.NewReader(z), "f", LIBSVMOptions{})
	checkPlaced(t, err, nil)
	_, err = ReadLIBSVM[float32](idle(-1), "f", LIBSVMOptions{})
	checkPlaced(t, err, io.ErrNoProgress)
	_, err = ReadLIBSVM[float32](io.MultiReader(idle(50), strings.NewReader("1 1:1\n")), "f", LIBSVMOptions{})
	if err != nil {
		t.Error(err)
	}
	wantErr := errors.New("cable cut")
	_, err = ReadLIBSVM[float32](io.MultiReader(strings.NewReader("1 1:1\n2 1:"), iotest.ErrReader(wantErr)), "f",
		LIBSVMOptions{})
	checkPlaced(t, err, wantErr)
	checkPlace(t, err, "f:2:3", "cable cut")
}

func checkPlaced(t *testing.T, err, cause error) {
	t.Helper()
	var e *ParseError
	if !errors.As(err, &e) || cause != nil && !errors.Is(err, cause) {
		t.Errorf("error %v, want a *ParseError of %v", err, cause)
	}
}

func TestLIBSVMRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := &CSR[float32]{Rows: 200, Cols: 500, Ptr: []int{0}}
	values := make([]float64, x.Rows)
	for i := range x.Rows {
		for j := range x.Cols {
			if rng.IntN(20) == 0 {
				x.Idx = append(x.Idx, int32(j))
				x.Val = append(x.Val, float32(rng.NormFloat64()))
			}
		}
		x.Ptr = append(x.Ptr, len(x.Val))
		values[i] = float64(rng.IntN(5)) / 3
	}
	labels, err := NumericLabels(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []LIBSVMOptions{{Cols: 500}, {Cols: 500, ZeroBased: true}} {
		var b bytes.Buffer
		if err := WriteLIBSVM(&b, &Labeled[*CSR[float32]]{X: x, Labels: labels}, o); err != nil {
			t.Fatal(err)
		}
		d, err := ReadLIBSVM[float32](&b, "f", o)
		if err != nil || !sameCSR(d.X, x) || !sameLabels(d.Labels, labels) {
			t.Errorf("%+v: not the same (%v)", o, err)
		}
	}
	err = WriteLIBSVM(io.Discard, &Labeled[*CSR[float32]]{X: x}, LIBSVMOptions{})
	checkMessage(t, err, []string{"0 classes", "200 examples"})
}

func TestOpenLIBSVM(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.svm")
	if err := os.WriteFile(path, packed([]byte("1 1:1\n2 1:y")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := OpenLIBSVM[float64](path, LIBSVMOptions{})
	checkPlace(t, err, path+":2:5", `"y"`)
	if _, err = OpenLIBSVM[float64](path+"x", LIBSVMOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	_, err = OpenLIBSVM[float64](filepath.Dir(path), LIBSVMOptions{})
	checkPlaced(t, err, nil)
}

// Allocations grow with the logarithm of the file: the slices that hold the result double.
func TestReadLIBSVMDoesNotAllocatePerLine(t *testing.T) {
	text := strings.Repeat("1 qid:123456 1:0.25 7:3.125 12:1e-3\n", 20000)
	n := prove.Allocs(2, func() {
		if _, err := ReadLIBSVM[float32](strings.NewReader(text), "f", LIBSVMOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 200 {
		t.Errorf("%v allocations for 20000 lines", n)
	}
}
