package pq

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// wholes returns n vectors of small whole numbers: distances are exact in float32, and many are equal.
func wholes(r *rand.Rand, n, d int) vec.Matrix[float32] {
	x := vec.NewMatrix[float32](n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.IntN(7) - 3)
	}
	return x
}

// shadow is what an index should hold.
type shadow map[uint64][]float32

// nearest is an answer by its definition.
func (s shadow) nearest(query []float32, metric Metric, k int, may func(id uint64) bool) []Neighbor {
	var all ranks
	for id, x := range s {
		if may == nil || may(id) {
			all = append(all, ranked{id, distance(metric, query, x), nil})
		}
	}
	return all.append(nil, metric, k)
}

// kinds are configurations of indices of vectors like x.
func changeKinds(t testing.TB, x vec.Matrix[float32]) map[string]func() *Index {
	t.Helper()
	q := train(t, x, Config{M: 4, NBits: 4, Iterations: 2})
	s, err := TrainScalar(context.Background(), x, ScalarConfig{Dims: 6, Bits: 4})
	if err != nil {
		t.Fatal(err)
	}
	centres, err := TrainLists(context.Background(), x, 7, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func() *Index{}
	for name, k := range map[string]struct {
		codec Codec
		c     IndexConfig
	}{
		"codes":             {q, IndexConfig{Vectors: true}},
		"codes, lists":      {q, IndexConfig{Vectors: true, Lists: centres}},
		"bounds":            {q, IndexConfig{Vectors: true, Bounds: true}},
		"product":           {q, IndexConfig{Vectors: true, Bounds: true, Metric: InnerProduct}},
		"bounds, lists":     {q, IndexConfig{Vectors: true, Bounds: true, Lists: centres}},
		"product and lists": {q, IndexConfig{Vectors: true, Bounds: true, Metric: InnerProduct, Lists: centres}},
		"cosine":            {q, IndexConfig{Vectors: true, Bounds: true, Metric: CosineSimilarity}},
		"cosine, lists":     {q, IndexConfig{Vectors: true, Bounds: true, Metric: CosineSimilarity, Lists: centres}},
		"scalar":            {s, IndexConfig{Vectors: true, Bounds: true}},
		"scalar, lists":     {s, IndexConfig{Vectors: true, Bounds: true, Lists: centres}},
	} {
		kinds[name] = func() *Index {
			ix, err := NewIndexOf(k.codec, k.c)
			if err != nil {
				t.Fatal(err)
			}
			return ix
		}
	}
	return kinds
}

// check compares an index with what it should hold: its ids, and answers of every kind.
func (s shadow) check(t *testing.T, what string, ix *Index, r *rand.Rand) {
	t.Helper()
	if ix.Len() != len(s) {
		t.Fatalf("%s: %d vectors, want %d", what, ix.Len(), len(s))
	}
	d := ix.codec.D()
	y := make([]float32, d)
	for id, x := range s {
		if err := ix.Vector(y, id); err != nil || !slices.Equal(x, y) || !ix.Has(id) {
			t.Fatalf("%s: vector %d is %v (error %v), want %v", what, id, y, err, x)
		}
	}
	for _, id := range []uint64{1 << 40, uint64(r.IntN(3000))} {
		if _, want := s[id]; ix.Has(id) != want || (ix.Code(make([]byte, ix.codec.CodeSize()), id) == nil) != want {
			t.Fatalf("%s: vector %d is there: %v, want %v", what, id, ix.Has(id), want)
		}
	}
	query := wholes(r, 1, d).Row(0)
	allow := []uint64{r.Uint64(), r.Uint64(), r.Uint64()}
	third := func(id uint64) bool { return id%3 == 0 }
	may := func(id uint64) bool { return id < 192 && allow[id/64]>>(id%64)&1 != 0 && third(id) }
	metric := ix.Metric()
	for _, o := range []Search{{K: 1}, {K: 5}, {K: 40}, {K: 6, Filter: third, Allow: allow}} {
		some := may
		if o.all() {
			some = nil
		}
		want := s.nearest(query, metric, o.K, some)
		o.Candidates, o.Probes = len(s)+1, 7
		if got, err := ix.Search(nil, query, o); err != nil || !slices.EqualFunc(got, want, nearly(metric)) {
			t.Fatalf("%s: found %v (error %v), want %v", what, got, err, want)
		}
		if !ix.Bounds() {
			continue
		}
		o.Probes = 0
		got, proof, err := ix.Certify(nil, query, o)
		if err != nil || !slices.Equal(got, want) || proof.Gap() != 0 {
			t.Fatalf("%s: proved %v (%+v, error %v), want %v", what, got, proof, err, want)
		}
		o.Probes, o.Budget = 2, o.K+3
		got, proof, err = ix.Certify(nil, query, o)
		if err != nil || len(want) == o.K && len(got) == o.K && s.off(got, want, metric) > proof.Gap()*(1+1e-15) {
			t.Fatalf("%s: off by %v, %+v, error %v", what, s.off(got, want, metric), proof, err)
		}
	}
}

// nearly compares answers: with float32's cosines equal ones may come in another order.
func nearly(metric Metric) func(a, b Neighbor) bool {
	return func(a, b Neighbor) bool {
		return a == b || metric == CosineSimilarity && math.Abs(float64(a.Distance-b.Distance)) < 1e-6
	}
}

// off is how much farther the last of an answer is than it should be.
func (s shadow) off(got, want []Neighbor, metric Metric) float64 {
	off := float64(got[len(got)-1].Distance) - float64(want[len(got)-1].Distance)
	if metric != L2 {
		off = -off
	}
	return off
}

// TestChanges: after any changes an index holds and finds what it should.
func TestChanges(t *testing.T) {
	const d = 8
	steps := 60
	if testing.Short() {
		steps = 15
	}
	r := prove.Rand(91)
	kinds := changeKinds(t, wholes(r, 500, d))
	for name, fresh := range kinds {
		ix, s, next := fresh(), shadow{}, uint64(0)
		some := func() (own []uint64) { // that are there, and one that is not
			for id := range s {
				if own = append(own, id); len(own) > r.IntN(200) {
					break
				}
			}
			return append(own, 1<<50)
		}
		for step := range steps {
			what := fmt.Sprintf("%s, step %d", name, step)
			x := wholes(r, r.IntN(300), d)
			switch r.IntN(8) {
			case 0, 1:
				if err := ix.Add(x, 1); err != nil {
					t.Fatal(err)
				}
				for i := range x.Rows {
					s[next] = x.Row(i)
					next++
				}
			case 2:
				var own []uint64
				for i := range x.Rows {
					id := uint64(r.IntN(1000)) // among others
					if _, there := s[id]; there || slices.Contains(own, id) {
						id = next + uint64(r.IntN(3))
						next = id + 1
					}
					own, s[id] = append(own, id), x.Row(i)
					next = max(next, id+1)
				}
				if err := ix.AddIDs(own, x, 1); err != nil {
					t.Fatal(err)
				}
			case 3:
				own := slices.DeleteFunc(some(), func(id uint64) bool { return id == 1<<50 })
				x = wholes(r, len(own)+1, d)
				own = append(own, next+5)
				next += 6
				if err := ix.Update(own, x, 1); err != nil {
					t.Fatal(err)
				}
				for i, id := range own {
					s[id] = x.Row(i)
				}
			case 4:
				own := some()
				if n := ix.Remove(append(own, own[0])...); n != len(own)-1 {
					t.Fatalf("%s: removed %d, want %d", what, n, len(own)-1)
				}
				for _, id := range own {
					delete(s, id)
				}
			case 5:
				ix.Compact()
				if of := ix.held.Load(); of.used != of.n {
					t.Fatalf("%s: %d slots for %d vectors", what, of.used, of.n)
				}
			case 6:
				ix = again(t, ix)
			case 7:
				ix = reopened(t, ix)
			}
			s.check(t, what, ix, r)
		}
	}
}

// TestChangesFail: what cannot be done leaves the index as it was.
func TestChangesFail(t *testing.T) {
	const d = 8
	r := prove.Rand(92)
	x := wholes(r, 300, d)
	for name, fresh := range changeKinds(t, x) {
		ix, s := fresh(), shadow{}
		if err := ix.Add(x, 0); err != nil {
			t.Fatal(err)
		}
		for i := range x.Rows {
			s[uint64(i)] = x.Row(i)
		}
		two := wholes(r, 2, d)
		bad := wholes(r, 2, d)
		bad.Data[3] = float32(1e39 * float64(1+r.IntN(2)))
		for _, c := range []struct {
			err  error
			want string
		}{
			{ix.AddIDs([]uint64{7, 1000}, two, 1), "id 7 is in the index"},
			{ix.AddIDs([]uint64{1000, 1000}, two, 1), "id 1000 comes twice"},
			{ix.Update([]uint64{7, 7}, two, 1), "id 7 comes twice"},
			{ix.Update([]uint64{7, 1<<64 - 1}, two, 1), "want at most"},
			{ix.AddIDs([]uint64{1000}, two, 1), "1 ids for 2 vectors"},
			{ix.Update([]uint64{1, 2}, bad, 1), "is +Inf"},
			{ix.AddCodes(make([]byte, ix.codec.CodeSize())), "vectors"},
			{ix.AddIDs([]uint64{1, 2}, two, -1), "workers is -1"},
		} {
			if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
				t.Errorf("%s: error %v, want one with %q", name, c.err, c.want)
			}
		}
		s.check(t, name, ix, r)
		if err := ix.AddIDs([]uint64{1<<64 - 2}, two.Slice(0, 1, 0, d), 1); err != nil {
			t.Error(err)
		}
		if err := ix.Add(two, 1); err == nil || !strings.Contains(err.Error(), "AddIDs") {
			t.Errorf("%s: ids behind the last: error %v", name, err)
		}
	}
}

// TestFirstFails: the centre is of the first vectors that an index has, not of those that it refused. Vectors that were
// measured about another are measured again.
func TestFirstFails(t *testing.T) {
	const d = 8
	r := prove.Rand(96)
	x := wholes(r, 600, d)
	first, second := x.Slice(0, 300, 0, d), x.Slice(300, 600, 0, d)
	for name, fresh := range changeKinds(t, x) {
		ix, want := fresh(), fresh()
		err := ix.AddIDs([]uint64{1, 1}, second.Slice(0, 2, 0, d), 1)
		if err == nil || ix.held.Load().frame != want.held.Load().frame {
			t.Errorf("%s: vectors that were refused left a centre", name)
		}
		late, err := ix.encode(second, 1) // as a call that begins before the other ends
		errs := []error{err, ix.Add(first, 1), ix.add(nil, late, false), want.Add(first, 1), want.Add(second, 1)}
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		s := shadow{}
		for i := range x.Rows {
			s[uint64(i)] = x.Row(i)
		}
		s.check(t, name, ix, r)
		for i, b := range want.held.Load().blocks {
			if !slices.Equal(b.floats, ix.held.Load().blocks[i].floats) {
				t.Errorf("%s: block %d has other bounds", name, i)
			}
		}
	}
}

// TestChangesAtOnce: searches see an index as some moment of the call had it, while others change it (the race detector
// watches). Vectors of even ids stay; of the others each is there wholly or not at all.
func TestChangesAtOnce(t *testing.T) {
	const d, n = 8, 1200
	searchers, rounds := 100, 20
	if testing.Short() {
		searchers, rounds = 20, 5
	}
	r := prove.Rand(93)
	x := wholes(r, n, d)
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = uint64(i)
	}
	for name, fresh := range changeKinds(t, x) {
		ix := fresh()
		if err := ix.AddIDs(ids, x, 1); err != nil {
			t.Fatal(err)
		}
		var writers, readers sync.WaitGroup
		done := make(chan struct{})
		for w := range 2 {
			writers.Go(func() {
				for k := 0; ; k++ {
					select {
					case <-done:
						return
					default:
					}
					id := uint64(4*(k%(n/4)) + 2*w + 1)
					ix.Remove(id)
					if err := ix.AddIDs([]uint64{id}, x.Slice(int(id), int(id)+1, 0, d), 1); err != nil {
						t.Error(err)
					}
					if k%50 == 49 {
						ix.Compact()
					}
				}
			})
		}
		for g := range searchers {
			readers.Go(func() {
				for i := range rounds {
					query := x.Row((g*rounds + i) % n)
					got, err := ix.Search(nil, query, Search{K: 5, Candidates: n + 1, Probes: 7})
					if err == nil && ix.Bounds() {
						got, _, err = ix.Certify(got, query, Search{K: 5})
					}
					if err != nil {
						t.Error(err)
					}
					right(t, name, x, query, ix.Metric(), got)
				}
			})
		}
		readers.Wait()
		close(done)
		writers.Wait()
	}
}

// right fails unless an answer of 5 lacks no vector but the two that may be away at any time.
func right(t *testing.T, what string, x vec.Matrix[float32], query []float32, metric Metric, got []Neighbor) {
	all := nearest(x, query, metric, x.Rows, nil)
	missing, at := 0, 0
	for _, g := range got {
		for all[at].id != g.ID {
			if all[at].id%2 == 0 {
				t.Errorf("%s: vector %d at %v is missing in %v", what, all[at].id, all[at].d, got)
				return
			}
			missing, at = missing+1, at+1
		}
		at++
	}
	if missing > 2 || len(got) != 5 {
		t.Errorf("%s: %d vectors are missing in %v", what, missing, got)
	}
}

// TestIDs: the table finds what it should, whatever came and went.
func TestIDs(t *testing.T) {
	r := prove.Rand(94)
	for _, spread := range []uint64{64, 1 << 63} {
		var table ids
		at, slots := map[uint64]uint32{}, []uint64{}
		of := func(slot uint32) uint64 { return slots[slot] }
		for range 20000 {
			id := r.Uint64N(spread)
			if len(at) > 0 && r.IntN(2) == 0 {
				for id = range at {
					break
				}
			}
			slot, there := table.find(id, of)
			if want, ok := at[id]; ok != there || ok && slot != want {
				t.Fatalf("id %d: slot %d, %v, want %d, %v", id, slot, there, want, ok)
			}
			if there {
				table.remove(id, of)
				delete(at, id)
				continue
			}
			slots = append(slots, id)
			at[id] = uint32(len(slots) - 1)
			table.add(id, at[id], of)
		}
		if table.n != len(at) {
			t.Errorf("%d ids, want %d", table.n, len(at))
		}
	}
}

// TestTrainLists: centres are the means of their rows, or nearly.
func TestTrainLists(t *testing.T) {
	x := clustered(2000, 5, 95)
	one, err := TrainLists(context.Background(), x.Slice(0, 64, 0, 5), 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range meanOf(x.Slice(0, 64, 0, 5)) {
		if off := one.Row(0)[i] - m; off < -1e-6 || off > 1e-6 {
			t.Errorf("the centre of one list is %v, the mean has %v at %d", one.Row(0), m, i)
		}
	}
	spread := func(centres vec.Matrix[float32]) (sum float64) {
		_, far := newInverted(centres).assign(x, 1)
		for _, f := range far {
			sum += f * f
		}
		return sum
	}
	last := spread(one)
	for _, n := range []int{5, 30, 200} {
		centres, err := TrainLists(context.Background(), x, n, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		again, err := TrainLists(context.Background(), x, n, 1, 3)
		if now := spread(centres); err != nil || now > .7*last || !slices.Equal(centres.Data, again.Data) {
			t.Errorf("%d lists: %v, with fewer %v, error %v", n, now, last, err)
		} else {
			last = now
		}
	}
	same := vec.NewMatrix[float32](50, 3) // equal vectors
	if _, err := TrainLists(context.Background(), same, 20, 1, 1); err != nil {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, cancelled := TrainLists(stopped, x, 3, 1, 1)
	_, none := TrainLists(context.Background(), x, 0, 1, 1)
	_, many := TrainLists(context.Background(), x, 2001, 1, 1)
	bad := vec.NewMatrix[float32](3, 2)
	bad.Row(0)[1] = float32(math.NaN())
	_, first := TrainLists(context.Background(), bad, 2, 1, 1)
	for err, want := range map[error]string{cancelled: "canceled", none: "0 lists of 2000", many: "2001 lists",
		first: "row 0, column 1 is NaN"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
