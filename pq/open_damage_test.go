package pq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// openMemory is OpenIndex of bytes in memory, which are not read.
func openMemory(file []byte) (*Index, error) {
	return openBytes(slices.Clone(file), func() error { return nil })
}

// use calls all methods, whatever they return: nothing panics.
func use(t testing.TB, ix *Index) {
	t.Helper()
	d := ix.codec.D()
	x := vec.NewMatrix[float32](3, d)
	for i := range x.Data {
		x.Data[i] = float32(i%5) - 2
	}
	some := func() []error {
		var errs []error
		for _, o := range []Search{{K: 1}, {K: 3}, {K: 70}, {K: 2, Codes: true}, {K: 5, Allow: []uint64{1<<63 - 1}}} {
			_, err := ix.Search(nil, x.Row(2), o)
			_, _, certified := ix.Certify(nil, x.Row(1), o)
			errs = append(errs, err, certified)
		}
		return errs
	}
	errs := some()
	for id := range uint64(10) {
		errs = append(errs, ix.Code(make([]byte, ix.codec.CodeSize()), id), ix.Vector(make([]float32, d), id))
	}
	errs = append(errs, ix.Update([]uint64{1, 5, 1 << 40}, x, 1), ix.Add(x, 1))
	ix.Remove(2, 5, 4, 1<<40, 4<<40)
	ix.Remove(2, 5, 4, 1<<40, 4<<40)
	errs = append(errs, some()...)
	_, err := ix.writeBlocks(nowhere{}, ix.held.Load())
	errs = append(errs, err)
	ix.Compact()
	errs = append(errs, some()...)
	t.Log(errors.Join(errs...))
}

// opens fails unless a file is found to be damaged when it is opened or verified.
func opens(t testing.TB, file []byte) (opened *Index) {
	t.Helper()
	ix, err := openMemory(file)
	if err == nil {
		opened, err = ix, ix.Verify()
	}
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("error %v", err)
	}
	return opened
}

// TestOpenDamage: a file cut to any length is an error when it is opened, every flipped bit is then or by Verify, and
// what can be opened can be used.
func TestOpenDamage(t *testing.T) {
	for _, nbits := range []int{4, 8} {
		file, step := blocksOf(t, goldenBlocks(t, nbits)), 1
		if testing.Short() {
			step = 7
		}
		if _, err := openMemory(append(slices.Clone(file), 0)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("a byte more: error %v", err)
		}
		unseen := 0
		for at := 0; at < len(file); at += step {
			if ix, err := openMemory(file[:at]); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("cut to %d of %d bytes: %v, error %v", at, len(file), ix, err)
			}
			bad := slices.Clone(file)
			bad[at] ^= 1 << (at % 8)
			if ix := opens(t, bad); ix != nil {
				if unseen++; unseen%16 == 0 {
					use(t, ix)
				}
			}
		}
		if littleEndian && unseen*step < len(file)/2 {
			t.Errorf("%d of %d bytes are looked at when opening, want few", len(file)-unseen*step, len(file))
		}
	}
}

// tampered is the file of an index after changes that no method makes.
func tampered(t testing.TB, ix *Index, change func(of *contents)) []byte {
	t.Helper()
	e := ix.edit(0)
	for i := range e.blocks {
		e.block(i)
	}
	change(&e.contents)
	var b bytes.Buffer
	if _, err := ix.writeBlocks(&b, &e.contents); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOpenHostile: files whose checksums are right and whose contents are not.
func TestOpenHostile(t *testing.T) {
	nan := float32(math.NaN())
	for name, change := range map[string]func(of *contents){
		"next id":      func(of *contents) { of.next = 1 << 30 },
		"vectors":      func(of *contents) { of.n++ },
		"an id twice":  func(of *contents) { b := of.blocks[len(of.blocks)-1]; setID(b, 1, of.blocks[0].id(0)) },
		"slots":        func(of *contents) { b := of.blocks[0]; setID(b, 0, 0); b.ids, b.n = append(b.ids, 7), 257 },
		"no slots":     func(of *contents) { of.blocks[0].n = 0 },
		"live":         func(of *contents) { of.blocks[0].n = 1 },
		"list":         func(of *contents) { of.blocks[0].list = 3 },
		"first id":     func(of *contents) { of.blocks[0].ids, of.blocks[0].first = nil, 1<<64-5 },
		"radius":       func(of *contents) { of.radius = []float64{1, math.NaN(), 1} },
		"far":          func(of *contents) { of.radius = []float64{1, 2, math.Inf(1)} },
		"bounds":       func(of *contents) { of.blocks[0].floats[0] = -1 },
		"bounds, NaN":  func(of *contents) { of.blocks[0].floats[256] = nan },
		"centre":       func(of *contents) { of.frame = &pqFrame{c: []float32{nan, 0, 0, 0, 0}} },
		"no centre":    func(of *contents) { of.frame = nil },
		"short centre": func(of *contents) { of.frame = &pqFrame{c: []float32{0}} },
	} {
		file := tampered(t, goldenBlocks(t, 4), change)
		if _, err := ReadIndex(bytes.NewReader(file)); !says(err, "") || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: read with error %v", name, err)
		}
		if ix := opens(t, file); ix != nil {
			use(t, ix)
		}
	}
	vector := tampered(t, goldenBlocks(t, 8), func(of *contents) { numbers(of.blocks[0].row(0), 2)[1] = nan })
	if _, err := ReadIndex(bytes.NewReader(vector)); !says(err, "vector 0: row 0, column 1 is NaN") {
		t.Errorf("error %v", err)
	}
	if ix := opens(t, vector); ix != nil {
		use(t, ix)
	}
}

func setID(b *block, i int, id uint64) {
	if b.ids == nil {
		all := make([]uint64, 256)
		for k := range all {
			all[k] = b.first + uint64(k)
		}
		b.ids = all
	}
	b.ids[i] = id
}

// TestOpenNonsense: codes, bounds, ids and vectors may be any bits: nothing panics.
func TestOpenNonsense(t *testing.T) {
	r := prove.Rand(96)
	rounds := 60
	if testing.Short() {
		rounds = 6
	}
	for name, fresh := range changeKinds(t, wholes(r, 500, 8)) {
		ix := fresh()
		own := make([]uint64, 700)
		for i := range own {
			own[i] = 3 * uint64(i)
		}
		if err := ix.AddIDs(own, wholes(r, 700, 8), 1); err != nil {
			t.Fatal(err)
		}
		ix.Remove(own[100:150]...)
		for range rounds {
			file := tampered(t, ix, func(of *contents) { nonsense(r, of) })
			opened, err := openMemory(file)
			switch {
			case err == nil:
				use(t, opened)
			case littleEndian || !errors.Is(err, ErrCorrupt):
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// nonsense fills some of what blocks hold with any bits, or with special numbers.
func nonsense(r *rand.Rand, of *contents) {
	special := []uint32{0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 1, 0x80000000, 0}
	number := func() float32 {
		if r.IntN(2) == 0 {
			return math.Float32frombits(special[r.IntN(len(special))])
		}
		return math.Float32frombits(r.Uint32())
	}
	what := 1 + r.IntN(15)
	for _, b := range of.blocks {
		if what&1 != 0 {
			for i := range b.codes {
				b.codes[i] = byte(r.Uint32())
			}
		}
		if what&2 != 0 {
			for i := range b.floats {
				b.floats[i] = number()
			}
		}
		if what&4 != 0 {
			for i := range b.n {
				setID(b, i, r.Uint64N(20))
			}
		}
		if what&8 != 0 && b.rows != nil {
			row := make([]float32, 8)
			for i := range row {
				row[i] = number()
			}
			for i := range b.rows {
				b.rows[i] = &row[0]
			}
		}
	}
}

// TestBlocksMemory: sizes that are not true cost no memory.
func TestBlocksMemory(t *testing.T) {
	q, err := New(64, 64, 8, make([]float32, 64<<8), nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := NewIndex(q, L2)
	if err == nil {
		err = ix.AddCodes(make([]byte, 2000*256*64))
	}
	if err != nil {
		t.Fatal(err)
	}
	file := blocksOf(t, ix) // 32 MB
	claim := sectionedAs(kindIndex, blocksVersion, func(w *container.Writer) {
		w.Ints("cdc", codebook)
		q.write(w)
		w.Ints("ind", 0, 0, 0, 0)
		container.Floats(w, "ctr", []float32(nil))
		container.WriteMatrix(w, "cen", vec.Matrix[float32]{})
		container.Floats(w, "rad", []float64(nil))
		w.Bytes("next", make([]byte, 8))
	})
	claim = claim[:len(claim)-24] // without the end
	head := binary.LittleEndian.AppendUint64([]byte("blk b\x00\x00\x00"), headSize<<23)
	claim = binary.LittleEndian.AppendUint32(append(claim, head...), crc32.Checksum(head, castagnoli))
	for i, file := range [][]byte{file[:bytes.Index(file, []byte("code"))+1000], claim} {
		if took := allocated(func() {
			if _, err := ReadIndex(bytes.NewReader(file)); !errors.Is(err, ErrCorrupt) || !says(err, "it ends within") {
				t.Errorf("%d: error %v", i, err)
			}
		}); took > 3<<20 {
			t.Errorf("%d: took %d bytes", i, took)
		}
	}
}
