package pq

import (
	"bytes"
	"testing"

	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// fuzzReader: a reader returns errors and never panics; what it accepts it writes again as it was, and it can be used.
func fuzzReader(f *testing.F, kind int) {
	eachGolden(f, func(_ string, k, _ int, file []byte) {
		if k == kind {
			f.Add(file)
			for _, bad := range damage.Seeds(file[:min(len(file), 2000)], damage.Binary, 8) {
				f.Add(bad)
			}
		}
	})
	f.Fuzz(func(t *testing.T, file []byte) {
		if kind == 7 {
			file = containertest.Sealed(file)
		}
		got, err := goldenKinds[kind].read(t, 4, bytes.NewReader(file))
		openFuzzed(t, file, err)
		if err != nil {
			return
		}
		again := written(t, got)
		if ix, ok := got.(*Index); ok && file[16] == blocksVersion {
			again = blocksOf(t, ix)
		}
		if !bytes.HasPrefix(file, again) {
			t.Error("read and written again it is another")
		}
		var q Codec
		switch v := got.(type) {
		case *Quantizer:
			q = v
		case *Scalar:
			q = v
		case *Index:
			q = v.codec
			if _, err := v.Search(nil, make([]float32, q.D()), Search{K: 3}); err != nil {
				t.Log(err)
			}
			original := func(uint64) []float32 { return make([]float32, q.D()) }
			if _, _, err := v.Certify(nil, make([]float32, q.D()), Search{K: 3, Vector: original}); err != nil {
				t.Log(err)
			}
		case *Matrix:
			q = v.q
			v.Scores(vec.NewMatrix[float32](v.n, 2), vec.NewMatrix[float32](v.q.d, 2), nil)
		default:
			return
		}
		if err := q.Encode(make([]byte, 3*q.CodeSize()), vec.NewMatrix[float32](3, q.D()), 1); err != nil {
			t.Log(err)
		}
	})
}

// openFuzzed: an index that is opened and not read is found to be damaged where ReadIndex finds that, and can be used.
func openFuzzed(t *testing.T, file []byte, read error) {
	ix, err := openMemory(file)
	if err == nil {
		err = ix.Verify()
		use(t, ix)
	}
	if read != nil && err == nil {
		t.Errorf("opened and verified, but read with error %v", read)
	}
	if read == nil && err != nil && !says(err, "behind the end") && !says(err, "kind") {
		t.Errorf("read, but opened and verified with error %v", err)
	}
}

func FuzzReadQuantizer(f *testing.F)       { fuzzReader(f, 0) }
func FuzzReadCodes(f *testing.F)           { fuzzReader(f, 1) }
func FuzzReadIndex(f *testing.F)           { fuzzReader(f, 2) }
func FuzzReadMatrix(f *testing.F)          { fuzzReader(f, 3) }
func FuzzReadBounds(f *testing.F)          { fuzzReader(f, 4) }
func FuzzReadScalarQuantizer(f *testing.F) { fuzzReader(f, 5) }
func FuzzReadScalars(f *testing.F)         { fuzzReader(f, 6) }
func FuzzReadBlocks(f *testing.F)          { fuzzReader(f, 7) }
