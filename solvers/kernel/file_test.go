package kernel

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"

	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// golden is the model of a file in testdata, of 5 examples: where they have 40 features they are sparse.
func golden[T vec.Float](t testing.TB, k Kernel, d int, names []string, notes map[string]string) *Expansion[T] {
	t.Helper()
	x := &dataset.CSR[T]{Rows: 5, Cols: d, Ptr: []int{0}}
	for i := range 5 {
		for _, j := range []int{i * d / 8, d/2 + i*d/10} {
			x.Idx, x.Val = append(x.Idx, int32(j)), append(x.Val, T(i*j%7)-2.5)
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	matrix, err := New(design.Matrix[T](x), k, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewExpansion(matrix, vec.MatrixOf(5, 2, []T{1.5, 0, 0, 0, -0x1p-149, -1, 0, 0x1p127, 0, 0}), names)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(notes)
}

func goldens(t testing.TB) (narrow map[string]*Expansion[float32], wide map[string]*Expansion[float64]) {
	given, err := Precomputed(vec.MatrixOf(2, 2, []float64{1, .5, .5, 1}))
	if err != nil {
		t.Fatal(err)
	}
	pre, err := NewExpansion(given, vec.MatrixOf(2, 1, []float64{0, -3}), []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	none, err := NewExpansion(given, vec.NewMatrix[float64](2, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	offsets := func(m *Expansion[float64], bias ...float64) *Expansion[float64] {
		m, err := m.WithBias(bias)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	sum := Sum{{.5, Gaussian{Gamma: 2}}, {0, Sum{{1, Linear{}}}}, {3, Polynomial{Degree: 3, Offset: .25}}}
	notes := map[string]string{"certificate": "primal 0.5, dual 0.4999", "gamma": "2"}
	return map[string]*Expansion[float32]{
			"dense32": golden[float32](t, Gaussian{Gamma: .125}, 8, nil, nil),
			"sparse32": golden[float32](t, Polynomial{Degree: 2, Scale: .5, Offset: 1}, 40, []string{"cat", "Kühe"},
				notes),
		}, map[string]*Expansion[float64]{
			"dense64":  golden[float64](t, sum, 8, nil, notes),
			"sparse64": golden[float64](t, sum, 40, nil, nil),
			"sum64":    golden[float64](t, Sum{{1, Gaussian{Gamma: .5}}, {1, Constant{Value: 2.25}}}, 8, nil, nil),
			"given64":  pre,
			"none64":   none,

			// version 2
			"bias64": offsets(golden[float64](t, Gaussian{Gamma: .5}, 8, []string{"a", "b"}, notes), -1.25,
				0x1p-1070),
			"biassparse64": offsets(golden[float64](t, Linear{}, 40, nil, nil), 0, 3),
			"biasgiven64":  offsets(pre, 0x1p1000),
		}
}

func TestGolden(t *testing.T) {
	narrow, wide := goldens(t)
	containertest.Golden(t, narrow, ReadExpansion[float32], sameModel)
	containertest.Golden(t, wide, ReadExpansion[float64], sameModel)
}

// sameModel checks that two models are alike, but for numbers that are 0 of both signs.
func sameModel[T vec.Float](t *testing.T, got, want *Expansion[T]) {
	t.Helper()
	if !reflect.DeepEqual(got.k, want.k) || got.c.N != want.c.N || got.d != want.d ||
		!slices.Equal(got.c.Support, want.c.Support) {
		t.Errorf("kernel %v of %d examples, %d features, support %v; want %v, %d, %d, %v",
			got.k, got.c.N, got.d, got.c.Support, want.k, want.c.N, want.d, want.c.Support)
	}
	if !slices.Equal(got.c.A.Data, want.c.A.Data) || got.c.A.Cols != want.c.A.Cols {
		t.Errorf("coefficients %v, want %v", got.c.A, want.c.A)
	}
	if !slices.Equal(got.Bias(), want.Bias()) || (got.Bias() == nil) != (want.Bias() == nil) {
		t.Errorf("offsets %v, want %v", got.Bias(), want.Bias())
	}
	if !slices.Equal(got.Names(), want.Names()) || !maps.Equal(got.Notes(), want.Notes()) {
		t.Errorf("names %q, notes %q; want %q, %q", got.Names(), got.Notes(), want.Names(), want.Notes())
	}
	alike := false
	switch w := want.vectors.(type) {
	case nil:
		alike = got.vectors == nil
	case denseVectors[T]:
		g, ok := got.vectors.(denseVectors[T])
		alike = ok && slices.Equal(g.x.Data, w.x.Data) && slices.Equal(g.norms, w.norms)
	case *sparseVectors[T]:
		g, ok := got.vectors.(*sparseVectors[T])
		alike = ok && slices.Equal(g.x.ptr, w.x.ptr) && slices.Equal(g.x.columns, w.x.columns) &&
			slices.Equal(g.x.values, w.x.values) && reflect.DeepEqual(g.columns, w.columns) &&
			slices.Equal(g.norms, w.norms)
	}
	if !alike {
		t.Errorf("support vectors %+v, want %+v", got.vectors, want.vectors)
	}
}

// sections are the sections of a file that ReadExpansion takes, before one of them is spoilt.
type sections struct {
	kind         string
	version      int
	size         []int
	names        []string
	codes        []int
	parameters   []float64
	support      []int
	coefficients vec.Matrix[float64]
	bias         []float64 // of version 2
	dense        vec.Matrix[float64]
	ptr          []int
	columns      []int32
	values       []float64
}

// sound is a file of 2 dense support vectors of 3 features out of 4, for an output; or of sparse ones.
func sound(form int) *sections {
	return &sections{
		kind: kind, version: version, size: []int{4, 3, 2, 1, form}, codes: []int{codeGaussian},
		parameters: []float64{1},
		support:    []int{1, 3}, coefficients: vec.MatrixOf(2, 1, []float64{1, -1}),
		dense: vec.NewMatrix[float64](2, 3),
		ptr:   []int{0, 2, 3}, columns: []int32{0, 2, 1}, values: []float64{1, 2, 3},
	}
}

func (s *sections) file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	c := container.NewWriter(&b, s.kind, s.version)
	c.Ints("size", s.size...)
	c.Strings("name", s.names)
	c.Map("note", nil)
	c.Ints("kern", s.codes...)
	container.Floats(c, "para", s.parameters)
	c.Ints("supp", s.support...)
	container.WriteMatrix(c, "a", s.coefficients)
	if s.version == biased {
		container.Floats(c, "bias", s.bias)
	}
	if s.size[4] == core.FormDense {
		container.WriteMatrix(c, "x", s.dense)
	} else if s.size[4] == core.FormSparse {
		c.Ints("ptr", s.ptr...)
		c.Int32s("col", s.columns)
		container.Floats(c, "val", s.values)
	}
	if _, err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Files whose bytes are whole, but no model.
func TestReadErrors(t *testing.T) {
	nested := slices.Concat(slices.Repeat([]int{codeSum, 1}, deepest+1), []int{codeLinear})
	for _, form := range []int{core.FormDense, core.FormSparse} {
		if _, err := ReadExpansion[float64](bytes.NewReader(sound(form).file(t))); err != nil {
			t.Fatal(err)
		}
	}
	nan := math.NaN()
	for want, c := range map[string]struct {
		form  int
		spoil func(s *sections)
	}{
		"but sizes [0 3 2 1 1]":          {core.FormDense, func(s *sections) { s.size[0] = 0 }},
		"of 0 features with support":     {core.FormDense, func(s *sections) { s.size[1] = 0 }},
		"but sizes [4 3 3 1 1]":          {core.FormDense, func(s *sections) { s.size[2] = 3 }},
		"but sizes [4 3 2 2 1]":          {core.FormDense, func(s *sections) { s.size[3] = 2 }},
		"with support vectors in form 0": {core.FormDense, func(s *sections) { s.size[4] = core.FormNone }},
		"with support vectors in form 3": {core.FormDense, func(s *sections) { s.size[4] = 3 }},
		"a kernel <nil> of 3 features": {core.FormDense,
			func(s *sections) { s.codes, s.parameters = []int{codeNone}, nil }},
		"2 names for 1 outputs":                 {core.FormDense, func(s *sections) { s.names = []string{"a", "b"} }},
		"no kernel in 0 codes and 1 parameters": {core.FormDense, func(s *sections) { s.codes = nil }},
		"no kernel in 1 codes and 0 parameters": {core.FormDense, func(s *sections) { s.parameters = nil }},
		"no kernel in 2 codes and 1 parameters": {core.FormDense, func(s *sections) { s.codes = []int{3, 1} }},
		"no kernel in 1 codes and 2 parameters": {core.FormDense,
			func(s *sections) { s.parameters = []float64{1, 2} }},
		"no kernel in 1 codes and 1 parameters": {core.FormDense, func(s *sections) { s.codes = []int{9} }},
		"no kernel in 131 codes and 65 parameters": {core.FormDense,
			func(s *sections) { s.codes, s.parameters = nested, make([]float64, 65) }},
		"no kernel in 3 codes and 1 parameters": {core.FormDense,
			func(s *sections) { s.codes = []int{codeSum, math.MaxInt32, codeLinear} }},
		"a sum of no kernels": {core.FormDense,
			func(s *sections) { s.codes, s.parameters = []int{codeSum, 0}, nil }},
		"Gaussian of Gamma NaN":               {core.FormDense, func(s *sections) { s.parameters[0] = nan }},
		"support vector 1 is example 4 of 4":  {core.FormDense, func(s *sections) { s.support[1] = 4 }},
		"support vector 0 is example -1 of 4": {core.FormDense, func(s *sections) { s.support[0] = -1 }},
		"support vector 1 is example 1 of 4":  {core.FormDense, func(s *sections) { s.support[1] = 1 }},
		"coefficient 0 of support vector 1 is NaN": {core.FormDense,
			func(s *sections) { s.coefficients.Data[1] = nan }},
		"number 2 of support vector 0 is NaN": {core.FormDense, func(s *sections) { s.dense.Data[2] = nan }},
		"a 2-by-4 matrix of 2 support vectors of 3 f": {core.FormDense,
			func(s *sections) { s.dense = vec.NewMatrix[float64](2, 4) }},
		`section "ptr" has 2 elements, want 3`:        {core.FormSparse, func(s *sections) { s.ptr = s.ptr[:2] }},
		`section "val" has 2 elements, want 3`:        {core.FormSparse, func(s *sections) { s.values = s.values[:2] }},
		"3 pointers, 3 columns and 3 numbers of 2 sp": {core.FormSparse, func(s *sections) { s.ptr[0] = 1 }},
		"sparse row 0 runs from 0 to 4":               {core.FormSparse, func(s *sections) { s.ptr[1] = 4 }},
		"sparse row 0 runs from 0 to -1":              {core.FormSparse, func(s *sections) { s.ptr[1] = -1 }},
		"column 3 at place 0 of sparse row 1, of 3":   {core.FormSparse, func(s *sections) { s.columns[2] = 3 }},
		"column -1 at place 0 of sparse row 0, of 3":  {core.FormSparse, func(s *sections) { s.columns[0] = -1 }},
		"column 0 at place 1 of sparse row 0, of 3":   {core.FormSparse, func(s *sections) { s.columns[1] = 0 }},
		"number 0 of support vector 1 is NaN":         {core.FormSparse, func(s *sections) { s.values[2] = nan }},
		`section "bias" has 2 elements, want 1`: {core.FormDense,
			func(s *sections) { s.version, s.bias = biased, []float64{1, 2} }},
		`section "bias" has 0 elements, want 1`: {core.FormSparse, func(s *sections) { s.version = biased }},
		"offset NaN of output 0": {core.FormDense,
			func(s *sections) { s.version, s.bias = biased, []float64{nan} }},
		"but sizes [4 3 2 -1 1]": {core.FormDense,
			func(s *sections) { s.version, s.bias, s.size[3] = biased, []float64{1}, -1 }},
	} {
		s := sound(c.form)
		c.spoil(s)
		_, err := ReadExpansion[float64](bytes.NewReader(s.file(t)))
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "kernel: reading a model: ") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for want, spoil := range map[string]func(s *sections){
		`a file of kind "linear", want "kernel"`: func(s *sections) { s.kind = "linear" },
		"version 3: known are versions 1 to 2":   func(s *sections) { s.version = 3 },
	} {
		s := sound(core.FormDense)
		spoil(s)
		_, err := ReadExpansion[float64](bytes.NewReader(s.file(t)))
		if err == nil || errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, err := ReadExpansion[float32](bytes.NewReader(sound(core.FormDense).file(t)))
	if err == nil || errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "holds float64, want float32") {
		t.Errorf("%v", err)
	}
}

// Sizes that are not true take no memory.
func TestReadHuge(t *testing.T) {
	for _, form := range []int{core.FormDense, core.FormSparse} {
		s := sound(form)
		s.size = []int{math.MaxInt32, math.MaxInt32, 2, 1, form}
		file := s.file(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := ReadExpansion[float64](bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 || (err == nil) != (form == core.FormSparse) {
			t.Errorf("form %d: took %d bytes, %v, %v", form, took, m, err)
		}
	}
}

func TestGobAndJSON(t *testing.T) {
	_, models := goldens(t)
	containertest.Marshals(t, models["sparse64"], sameModel)
}

// What cannot be written is an error before a byte is.
func TestWriteErrors(t *testing.T) {
	var deep Kernel = Linear{}
	for range deepest + 1 {
		deep = Sum{{1, deep}}
	}
	m := golden[float64](t, deep, 8, nil, nil)
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err == nil || !strings.Contains(err.Error(), "more than 64 sums") || b.Len() > 0 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
	m = golden[float64](t, Linear{}, 8, nil, nil)
	if _, err := m.WriteTo(full{}); !errors.Is(err, io.ErrShortWrite) || !strings.HasPrefix(err.Error(), "kernel: ") {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Whatever is read is written and read as the same.
func FuzzReadExpansion(f *testing.F) {
	narrow, wide := goldens(f)
	for _, m := range narrow {
		f.Add(containertest.Written(f, m))
	}
	for _, m := range wide {
		f.Add(containertest.Written(f, m))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		file = containertest.Sealed(file) // else the checksum is all that is tried
		containertest.Reread(t, file, ReadExpansion[float32], sameModel)
		containertest.Reread(t, file, ReadExpansion[float64], sameModel)
	})
}
