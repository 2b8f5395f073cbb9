package pq

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestSteps: small runs of what is trained, searched and multiplied take the committed steps.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		s := &steps{t: t, add: add}
		s.quantizers()
		s.scalars()
		s.lists()
		s.tables()
		s.indexes()
		s.matrices()
		s.bounds()
	})
}

// steps collects what small runs did.
type steps struct {
	t      *testing.T
	add    func(name string, h hash.Hash)
	codecs []namedCodec // that were trained
}

type namedCodec struct {
	Codec
	name string
}

// note ends a run with what it told, files and numbers.
func (s *steps) note(name string, told ...any) {
	s.t.Helper()
	h := sha256.New()
	for _, v := range told {
		var err error
		switch v := v.(type) {
		case error:
			s.t.Fatal(name, v)
		case io.WriterTo:
			_, err = v.WriteTo(h)
		case []byte, []float32:
			err = binary.Write(h, binary.LittleEndian, v)
		default:
			_, err = fmt.Fprintln(h, v)
		}
		if err != nil {
			s.t.Fatal(name, err)
		}
	}
	s.add(name, h)
}

// eighths are n vectors of whole eighths, of which many share most numbers: distances are often equal.
func eighths(n, d int) vec.Matrix[float32] {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := vec.NewMatrix[float32](n, d)
	for i := range n {
		c := r.IntN(9)
		for t := range d {
			x.Row(i)[t] = float32((c*(t+3))%7) / 2
			if r.IntN(3) == 0 {
				x.Row(i)[t] += float32(r.IntN(9)-4) / 8
			}
		}
	}
	return x
}

func (s *steps) quantizers() {
	ctx := context.Background()
	x := clustered(400, 20, 3)
	for _, c := range []Config{{M: 5}, {M: 10, NBits: 4}, {M: 3, Uneven: true}, {M: 7, NBits: 4, Uneven: true},
		{M: 20, NBits: 4}, {M: 1, NBits: 4}, {M: 5, NBits: 4, PlusPlus: true}, {M: 2, PlusPlus: true},
		{M: 5, NBits: 4, Rotations: 3}, {M: 3, NBits: 4, Rotations: 2, Uneven: true, PlusPlus: true},
		{M: 4, NBits: 4, PointsPerCentroid: 3}, {M: 4, NBits: 4, PointsPerCentroid: 7, Rotations: 1}} {
		c.Seed, c.Iterations = 7, 5
		var told []Progress
		c.Progress = func(p Progress) { told = append(told, p) }
		q, err := Train(ctx, x, c)
		if err != nil {
			s.t.Fatal(err)
		}
		title := fmt.Sprintf("quantizer, M %d, %d bits, uneven %t, plus %t, rotations %d, points %d", c.M,
			q.NBits(), c.Uneven, c.PlusPlus, c.Rotations, c.PointsPerCentroid)
		s.note(title, q, encode(s.t, q, x), fmt.Sprint(told))
		s.codecs = append(s.codecs, namedCodec{q, title})
	}
	few := eighths(40, 6)
	copy(few.Data[:20*6], few.Data[20*6:]) // each vector twice, so that lists of centroids fall empty
	for _, c := range []Config{{M: 2, NBits: 4}, {M: 2, NBits: 4, PlusPlus: true}, {M: 6, NBits: 4}} {
		c.Seed = 3
		q, err := Train(ctx, few, c)
		s.note(fmt.Sprintf("quantizer of doubles, M %d, plus %t", c.M, c.PlusPlus), err, q)
	}
	same := vec.NewMatrix[float32](300, 4)
	q, err := Train(ctx, same, Config{M: 2, PlusPlus: true})
	s.note("quantizer of zeros", err, q)
}

func (s *steps) scalars() {
	ctx := context.Background()
	x := clustered(200, 24, 4)
	for _, c := range []ScalarConfig{{}, {Bits: 1}, {Bits: 2, Dims: 16}, {Bits: 8}, {Bits: 4, Dims: 8, Tails: 3},
		{Turn: Hadamard}, {Turn: Hadamard, Bits: 1}, {Turn: Hadamard, Bits: 8}, {Sample: 60, Bits: 2, Tails: 1},
		{Dims: 5, Bits: 2, Tails: 8}, {Dims: 1, Bits: 8}} {
		c.Seed = 5
		q, err := TrainScalar(ctx, x, c)
		if err != nil {
			s.t.Fatal(err)
		}
		codes, back := make([]byte, x.Rows*q.CodeSize()), vec.NewMatrix[float32](x.Rows, x.Cols)
		if err := q.Encode(codes, x, 1); err != nil {
			s.t.Fatal(err)
		}
		err = q.Decode(back, codes, 1)
		title := fmt.Sprintf("scalar, %v, %d bits, %d dims, %d tails, sample %d", c.Turn, q.Bits(), q.Dims(), q.Tails(),
			c.Sample)
		s.note(title, err, q, codes, back.Data)
		s.codecs = append(s.codecs, namedCodec{q, title})
	}
}

func (s *steps) lists() {
	ctx := context.Background()
	for _, n := range []int{1, 3, 9, 40} {
		c, err := TrainLists(ctx, clustered(700, 12, 5), n, 3, 1)
		s.note(fmt.Sprintf("%d lists", n), err, c.Data)
		c, err = TrainLists(ctx, eighths(60, 4), n, 4, 1)
		s.note(fmt.Sprintf("%d lists of eighths", n), err, c.Data)
	}
}

func (s *steps) tables() {
	x := clustered(300, 20, 6)
	for _, c := range s.codecs {
		q, ok := c.Codec.(*Quantizer)
		if !ok {
			continue
		}
		codes, table := encode(s.t, q, x), q.NewTable()
		size := q.CodeSize()
		for _, m := range []Metric{L2, InnerProduct} {
			all, one := make([]float32, x.Rows), make([]float32, x.Rows)
			var told []any
			if err := table.Set(m, x.Row(7)); err != nil {
				s.t.Fatal(err)
			}
			told = append(told, table.Scan(all, codes))
			for i := range one {
				one[i] = table.Distance(codes[i*size:][:size])
			}
			told = append(told, append([]float32{}, all...), append([]float32{}, one...))
			if err := table.SetCode(m, codes[size:2*size]); err != nil {
				s.t.Fatal(err)
			}
			told = append(told, table.Scan(all, codes), all)
			s.note(fmt.Sprintf("table of %s, %v", c.name, m), told...)
		}
	}
}

// indexes has searches, with vectors, bounds and lists and without, before and after changes.
func (s *steps) indexes() {
	ctx := context.Background()
	wide, lean := clustered(900, 24, 8), clustered(900, 20, 8)
	for k, c := range s.codecs {
		x := lean
		if c.D() != x.Cols {
			x = wide
		}
		_, scalar := c.Codec.(*Scalar)
		for _, m := range []Metric{L2, InnerProduct, CosineSimilarity} {
			config := IndexConfig{Metric: m, Bounds: scalar || k%2 == 0, Vectors: k%3 == 0}
			if k%4 > 1 {
				centres, err := TrainLists(ctx, x, 12, 1, 1)
				if err != nil {
					s.t.Fatal(err)
				}
				config.Lists = centres
			}
			if config.Bounds && k%5 == 1 {
				config.Centre = x.Row(3)
			}
			ix, err := NewIndexOf(c.Codec, config)
			if err != nil {
				s.t.Fatal(err)
			}
			name := fmt.Sprintf("index of %s, %v", c.name, m)
			err = ix.Add(x.Slice(0, 600, 0, x.Cols), 1)
			s.note(name, append(s.searches(ix, x), err, ix, ix.Stats())...)
			own := []uint64{1000, 2000, 3}
			err = ix.AddIDs(own[:2], x.Slice(600, 602, 0, x.Cols), 1)
			removed := ix.Remove(1, 5, 5, 400, 1<<40)
			for i := range uint64(256) {
				removed += ix.Remove(300 + i)
			}
			told := []any{err, ix.Update(own, x.Slice(700, 703, 0, x.Cols), 1), removed, ix, ix.Stats()}
			s.note(name+", changed", append(s.searches(ix, x), told...)...)
			ix.Compact()
			s.note(name+", compact", append(s.searches(ix, x), ix, ix.Stats())...)
		}
	}
}

// searches returns what searches in an index find, of each kind that it allows.
func (s *steps) searches(ix *Index, x vec.Matrix[float32]) (told []any) {
	all := Rows(x)
	rows := func(id uint64) []float32 { return all(id % uint64(x.Rows)) }
	odd := func(id uint64) bool { return id%2 == 1 }
	some := []uint64{0x0f0f0f0f, 0, 1<<63 | 1, 1 << 40}
	for _, i := range []int{0, 77, 650} {
		query := x.Row(i)
		for _, o := range []Search{{K: 1}, {K: 5, Codes: true}, {K: 30, Probes: 2}, {K: 7, Filter: odd},
			{K: 7, Allow: some}, {K: 3, Vector: rows}, {K: 3, Vector: rows, Candidates: 9, Probes: 5},
			{K: 1000, Codes: true, Probes: 12}} {
			found, err := ix.Search(nil, query, o)
			told = append(told, err, fmt.Sprint(found))
		}
		for _, o := range []Search{{K: 1, Vector: rows}, {K: 10, Vector: rows, Probes: 3},
			{K: 4, Vector: rows, Budget: 6}, {K: 5, Vector: rows, Filter: odd}, {K: 2, Vector: rows, Allow: some}} {
			if ix.Bounds() {
				found, proof, err := ix.Certify(nil, query, o)
				told = append(told, err, fmt.Sprintf("%v %+v", found, proof))
			}
		}
	}
	return told
}

// matrices has products of each precision, with few outputs and with many, of all rows, of some and of few.
func (s *steps) matrices() {
	for k, c := range s.codecs {
		q, ok := c.Codec.(*Quantizer)
		if !ok || k%2 == 1 && k > 5 {
			continue
		}
		v := clustered(1100, q.D(), 9)
		codes, some := encode(s.t, q, v), rand.New(rand.NewPCG(1, 2)).Perm(v.Rows)[:700]
		for _, tables := range []Tables{Float32, Int16, Int8} {
			x, err := NewMatrix(q, v.Rows, codes, MatrixOptions{Tables: tables, Workers: 1})
			if err != nil {
				s.t.Fatal(err)
			}
			for _, rows := range [][]int{nil, some, some[:40], some[:3]} {
				n := len(rows)
				if rows == nil {
					n = v.Rows
				}
				var told []any
				for _, m := range []int{1, 3, 16, 33, 70} {
					dst, w := vec.NewMatrix[float32](n, m), clustered(q.D(), m, uint64(m))
					x.Scores(dst, w, rows)
					into := vec.NewMatrix[float32](q.D(), m)
					x.Accumulate(into, clustered(n, m, 4), rows)
					told = append(told, dst.Data, into.Data)
				}
				dst := vec.NewMatrix[float32](n, q.D())
				x.Gather(dst, rows)
				told = append(told, dst.Data)
				s.note(fmt.Sprintf("matrix of %s, tables %d, %d rows", c.name, tables, n), told...)
			}
			norms, gram := make([]float32, v.Rows), vec.NewMatrix[float32](40, 3)
			x.SquaredNorms(norms)
			x.Gram(gram, some[:40], some[50:53])
			scores, w := vec.NewMatrix[float64](700, 5), vec.NewMatrix[float64](q.D(), 5)
			x.Accumulate64(w, vec.MatrixOf(700, 5, wider(clustered(700, 5, 2).Data)), some)
			x.Scores64(scores, w, some)
			s.note(fmt.Sprintf("matrix of %s, tables %d", c.name, tables), norms, gram.Data,
				fmt.Sprint(scores.Data, w.Data), x)
		}
	}
}

func wider(x []float32) []float64 {
	y := make([]float64, len(x))
	vec.Convert(y, x)
	return y
}
