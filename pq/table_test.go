package pq

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// exactDistance is the metric in float64, with a bound on what float32 may make of it by way of tables: dsub+2
// roundings of an entry and M of the sum, and the roundings of a rotation.
func exactDistance(metric Metric, q *Quantizer, a, b []float32) (value, bound float64) {
	var magnitude, squares float64
	for t, v := range a {
		x, y := float64(v), float64(b[t])
		squares += float64(x*x) + float64(y*y)
		e := x - y
		if metric == InnerProduct {
			value += float64(x * y)
			magnitude += math.Abs(x * y)
		} else {
			value += float64(e * e)
			magnitude += float64(e * e)
		}
	}
	if q.rotation != nil { // rotated numbers are off by d roundings of the vectors' lengths
		magnitude += 4 * float64(q.d) * squares
	}
	return value, float64(q.d+q.m+4) / (1 << 23) * magnitude
}

// TestTableDistances: sums of entries are distances to decoded vectors, asymmetric and symmetric, on every tier.
func TestTableDistances(t *testing.T) {
	for name, q := range shapes(t) {
		x := clustered(70, 20, 9)
		codes := encode(t, q, x)
		decoded := vec.NewMatrix[float32](x.Rows, 20)
		if err := q.Decode(decoded, codes, 0); err != nil {
			t.Fatal(err)
		}
		size := q.CodeSize()
		prove.Tiers(func(tier cpu.Tier) {
			table, dist := q.NewTable(), make([]float32, x.Rows)
			for _, metric := range []Metric{L2, InnerProduct} {
				for i := range 5 {
					for _, symmetric := range []bool{false, true} {
						query, err := x.Row(i), error(nil)
						if symmetric {
							query, err = decoded.Row(i), table.SetCode(metric, codes[i*size:][:size])
						} else {
							err = table.Set(metric, query)
						}
						if err != nil {
							t.Fatal(err)
						}
						if err := table.Scan(dist, codes); err != nil || table.Metric() != metric {
							t.Fatal(metric, err)
						}
						for k, got := range dist {
							want, bound := exactDistance(metric, q, query, decoded.Row(k))
							if math.Abs(float64(got)-want) > bound {
								t.Fatalf("%s on %v: %v (symmetric %v) of %d and %d is %v, want %v within %v", name,
									tier, metric, symmetric, i, k, got, want, bound)
							}
							if one := table.Distance(codes[k*size:][:size]); one != got {
								t.Fatalf("%s on %v: distance %v by itself, %v in a scan", name, tier, one, got)
							}
							if symmetric && metric == L2 {
								pair, err := q.SymmetricDistance(codes[i*size:][:size], codes[k*size:][:size])
								if want, bound := exactDistance(metric, q, query, decoded.Row(k)); err != nil ||
									math.Abs(float64(pair)-want) > bound {
									t.Fatalf("%s on %v: codes %d and %d are %v apart (error %v), want %v", name, tier,
										i, k, pair, err, want)
								}
							}
						}
					}
				}
			}
		})
	}
}

// TestFastTable: the bytes bound distances from below, for all codes, and no bound is off by more than one step each.
func TestFastTable(t *testing.T) {
	for name, q := range shapes(t) {
		x := clustered(200, 20, 10)
		codes := encode(t, q, x)
		table, dist := q.NewTable(), make([]float32, x.Rows)
		var f fastTable
		for _, metric := range []Metric{L2, InnerProduct} {
			for i := range 10 {
				if err := table.Set(metric, x.Row(i)); err != nil {
					t.Fatal(err)
				}
				if err := f.set(table, math.Inf(1)); err != nil {
					t.Fatal(err)
				}
				if err := table.Scan(dist, codes); err != nil {
					t.Fatal(err)
				}
				for k, d := range dist {
					if metric == InnerProduct {
						d = -d
					}
					sum := 0
					for j := range q.m {
						sum += int(f.bytes[j*q.ksub+q.codePart(codes[k*q.CodeSize():], j)])
					}
					if least := f.base + f.step*float64(sum) - f.slack; float64(d) < least ||
						float64(d) > least+2*f.slack+f.step*float64(q.m) {
						t.Fatalf("%s, %v: distance %v, bound %v, slack %v, step %v", name, metric, d, least, f.slack,
							f.step)
					}
					if uint32(sum) > f.bound(d) {
						t.Fatalf("%s, %v: sum %d of a code at distance %v, the bound for that is %d", name, metric, sum,
							d, f.bound(d))
					}
				}
			}
		}
	}
}

func TestTableErrors(t *testing.T) {
	x := clustered(300, 20, 4)
	q := train(t, x, Config{M: 5})
	table := q.NewTable()
	nan := make([]float32, 20)
	nan[4] = float32(math.NaN())
	ix, err := NewIndex(q, L2)
	if err != nil {
		t.Fatal(err)
	}
	far := make([]float32, 20)
	far[0] = 1e30
	search := func(query []float32, s Search) error { _, err := ix.Search(nil, query, s); return err }
	batch := func(queries vec.Matrix[float32]) error {
		_, err := ix.SearchBatch(queries, Search{K: 1}, 0)
		return err
	}
	_, symmetric := q.SymmetricDistance(make([]byte, 5), make([]byte, 6))
	_, noIndex := NewIndex(q, 3)
	if err := ix.Add(x, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{table.Set(L2, x.Data[:19]), "19 dimensions, want d=20"},
		{table.Set(L2, nan), "dimension 4 of the query is NaN"},
		{table.Set(7, x.Row(0)), "there is no search by Metric(7)"},
		{table.SetCode(L2, make([]byte, 4)), "a code of 4 bytes, want 5"},
		{table.SetCode(2, make([]byte, 5)), "there is no search by CosineSimilarity"},
		{table.Scan(make([]float32, 3), make([]byte, 16)), "16 bytes of codes for 3 distances, want 15"},
		{symmetric, "a code of 6 bytes, want 5"},
		{noIndex, "there is no search by Metric(3)"},
		{ix.AddCodes(make([]byte, 6)), "6 bytes of codes are no multiple of 5"},
		{ix.Code(make([]byte, 5), 300), "no vector 300 among 300"},
		{ix.Code(make([]byte, 4), 0), "a code of 4 bytes, want 5"},
		{ix.Vector(make([]float32, 4), 0), "4 dimensions, want d=20"},
		{search(nan, Search{K: 1}), "dimension 4 of the query is NaN"},
		{search(far, Search{K: 1}), "overflow"},
		{search(x.Row(0), Search{K: -1}), "K=-1"},
		{search(x.Row(0), Search{}), "K=0"},
		{search(x.Row(0), Search{K: 1, Candidates: -1}), "Candidates=-1"},
		{search(x.Row(0), Search{K: 1, Vector: func(uint64) []float32 { return nil }}), "returned 0 numbers"},
		{search(x.Row(0), Search{K: 1, Vector: func(uint64) []float32 { return nan }}), "is NaN"},
		{batch(x.Slice(0, 2, 0, 19)), "19 dimensions, want d=20"},
		{batch(vec.MatrixOf(1, 20, nan)), "pq: query 0: dimension 4 of the query is NaN"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), "pq: ") {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
	defer func() {
		if got, ok := recover().(vec.ShapeError); !ok ||
			got.Error() != "pq: Table.Distance: a code of 3 bytes, want 5" {
			t.Errorf("panic %v", got)
		}
	}()
	table.Distance(make([]byte, 3))
}
