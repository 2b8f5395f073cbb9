package pq

import (
	"fmt"
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Metric is what vectors are compared by.
type Metric = vec.Metric

const (
	L2           = vec.L2           // squared Euclidean distance: least is nearest
	InnerProduct = vec.InnerProduct // largest is nearest

	// CosineSimilarity is for indices alone, which keep codes of vectors of length 1: train the codec on such,
	// Normalized. Largest is nearest.
	CosineSimilarity = vec.CosineSimilarity
)

// Table is the distance table of a query: for each subspace the squared distances, or the inner products, of the
// query's part and all centroids, (M, 2^NBits) in all. The distance from the query to the vector that a code stands
// for is then the sum of M entries (asymmetric distance computation; Jégou, Douze and Schmid 2011, equation 13). A
// Table may be set again and again. Any number of goroutines may read it while none sets it.
type Table struct {
	q      *Quantizer
	metric Metric
	data   []float32 // (M, ksub)
	query  []float32 // scratch
	pairs  []float32 // (ceil(M/2), 256), for 4 bits: sums of two entries
}

// NewTable returns a table without a query, all entries 0.
func (q *Quantizer) NewTable() *Table {
	t := q.smallTable()
	if q.nbits == 4 {
		t.pairs = make([]float32, q.CodeSize()*256)
	}
	return t
}

// smallTable returns a table for few codes.
func (q *Quantizer) smallTable() *Table {
	return &Table{q: q, data: make([]float32, q.m*q.ksub), query: make([]float32, q.d)}
}

// Set fills the table for a query of d numbers. Another length, NaN and infinities are errors. It costs 2^NBits d
// operations.
func (t *Table) Set(metric Metric, query []float32) error {
	q := t.q
	if err := checkMetric(metric); err != nil {
		return err
	}
	if err := q.checkQuery(query); err != nil {
		return err
	}
	if q.rotation != nil {
		q.rotate(t.query, vec.MatrixOf(1, q.d, query))
	} else {
		copy(t.query, query)
	}
	t.fill(metric)
	return nil
}

// SetCode fills the table for the vector that a code stands for. Sums of its entries are then distances between decoded
// vectors, the symmetric ones.
func (t *Table) SetCode(metric Metric, code []byte) error {
	if err := checkMetric(metric); err != nil {
		return err
	}
	if err := t.q.checkCode(code); err != nil {
		return err
	}
	t.q.gather(t.query, code)
	t.fill(metric)
	return nil
}

func checkMetric(m Metric) error {
	if m > InnerProduct {
		return fmt.Errorf("pq: there is no search by %v", m)
	}
	return nil
}

// checkQuery refuses a query of another length, NaN and infinities.
func (q *Quantizer) checkQuery(query []float32) error { return checkQuery(query, q.d) }

func checkQuery(query []float32, d int) error {
	if len(query) != d {
		return fmt.Errorf("pq: a query of %d dimensions, want d=%d", len(query), d)
	}
	for i, v := range query {
		if !finite(v) {
			return fmt.Errorf("pq: dimension %d of the query is %v", i, v)
		}
	}
	return nil
}

// fill computes the table of t.query.
func (t *Table) fill(metric Metric) { t.fillFrom(t.q.columns, metric) }

// fillFrom is fill with other centroids, which lie as Quantizer.columns do.
func (t *Table) fillFrom(columns []float32, metric Metric) {
	q := t.q
	t.metric = metric
	of := kernel.TableL2
	if metric == InnerProduct {
		of = kernel.TableIP
	}
	for j := range q.m {
		of(q.width(j), q.ksub, &t.query[q.offset[j]], &columns[q.ksub*q.offset[j]], &t.data[j*q.ksub])
	}
	for p := 0; p < len(t.pairs)/256; p++ {
		low, sums := t.data[2*p*16:][:16], t.pairs[p*256:][:256]
		for b := range sums {
			sums[b] = low[b&15]
			if 2*p+1 < q.m {
				sums[b] += t.data[(2*p+1)*16+b>>4]
			}
		}
	}
}

// Metric returns what the table was last set to.
func (t *Table) Metric() Metric { return t.metric }

// Subspace returns the 2^NBits entries of subspace j, by centroid. Do not write to them.
func (t *Table) Subspace(j int) []float32 {
	return t.data[j*t.q.ksub : (j+1)*t.q.ksub : (j+1)*t.q.ksub]
}

// Distance returns the sum of the entries that one code names. It panics unless code has CodeSize bytes.
func (t *Table) Distance(code []byte) float32 {
	if len(code) != t.q.CodeSize() {
		panic(shape.Errorf("pq: Table.Distance", "a code of %d bytes, want %d", len(code), t.q.CodeSize()))
	}
	var d [1]float32
	t.scan(d[:], code)
	return d[0]
}

// Scan sets dst[i] to the distance of code i. codes holds len(dst) times CodeSize bytes; another length is an error.
// It costs M additions a code.
func (t *Table) Scan(dst []float32, codes []byte) error {
	if size := t.q.CodeSize(); len(codes) != len(dst)*size {
		return fmt.Errorf("pq: %d bytes of codes for %d distances, want %d of %d bytes each",
			len(codes), len(dst), len(dst)*size, size)
	}
	t.scan(dst, codes)
	return nil
}

func (t *Table) scan(dst []float32, codes []byte) {
	if len(dst) == 0 {
		return
	}
	table := t.data
	switch {
	case t.pairs != nil:
		table = t.pairs
	case t.q.nbits == 4:
		t.scanHalves(dst, codes)
		return
	}
	kernel.Scan(len(dst), t.q.CodeSize(), &table[0], &codes[0], &dst[0])
}

// sumAt is scan for code i of a block, with 8 bits.
func (t *Table) sumAt(block []byte, i int) float32 {
	var s [4]float32
	data := t.data
	for ; len(data) >= 4*256 && len(block) >= 4*256; data, block = data[4*256:], block[4*256:] {
		d, b := data[:4*256:4*256], block[:4*256:4*256]
		s[0] += d[b[i&255]]
		s[1] += d[256+int(b[256+i&255])]
		s[2] += d[512+int(b[512+i&255])]
		s[3] += d[768+int(b[768+i&255])]
	}
	for j := 0; len(data) >= 256; j++ {
		s[j] += data[block[i]]
		data, block = data[256:], block[256:]
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}

// scanHalves is scan for few codes of 4-bit parts, without the table of pairs. It adds as that would.
func (t *Table) scanHalves(dst []float32, codes []byte) {
	size := t.q.CodeSize()
	for i := range dst {
		var s [4]float32
		code, data := codes[i*size:][:size], t.data
		for ; len(code) >= 4 && len(data) >= 128; code, data = code[4:], data[128:] {
			s[0] += pairOf(data[:32], code[0])
			s[1] += pairOf(data[32:64], code[1])
			s[2] += pairOf(data[64:96], code[2])
			s[3] += pairOf(data[96:128], code[3])
		}
		for p, b := range code {
			pair := data[2*p*16+int(b&15)]
			if len(data) >= (2*p+2)*16 {
				pair += data[(2*p+1)*16+int(b>>4)]
			}
			s[p] += pair
		}
		dst[i] = (s[0] + s[2]) + (s[1] + s[3])
	}
}

// pairOf adds the entries of two subspaces that a byte of a code names.
func pairOf(data []float32, b byte) float32 { return data[b&15] + data[16+b>>4] }

// SymmetricDistance returns the squared distance between the vectors that two codes stand for. Codes of another
// length than CodeSize are an error. It costs d operations; for many distances to one code use [Table.SetCode].
func (q *Quantizer) SymmetricDistance(a, b []byte) (float32, error) {
	for _, code := range [][]byte{a, b} {
		if err := q.checkCode(code); err != nil {
			return float32(math.NaN()), err
		}
	}
	var d float32
	for j := range q.m {
		c := q.Centroids(j)
		d += vec.SquaredDistance32(c.Row(q.codePart(a, j)), c.Row(q.codePart(b, j)))
	}
	return d, nil
}
