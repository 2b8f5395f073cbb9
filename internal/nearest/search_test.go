package nearest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// set has true ranks of rows with queries, and what a source makes of them: numbers up to slack away.
type set[T Float] struct {
	rows        int // of a block
	truth, rank [][]T
	slack       []T // of each block
	answers     [][]int32
}

// source is a part of the queries of a set.
type source[T Float] struct {
	task  Task[T]
	set   *set[T]
	first int // query
	block int

	passed int // rows
}

func (s *source[T]) Block(b int) int {
	s.block = b
	return min(s.set.rows, len(s.set.rank[0])-b*s.set.rows)
}

func (s *source[T]) Above(val []T, idx []int32, query, from, to int, least T) (n int) {
	for i, r := range s.set.rank[s.first+query][s.block*s.set.rows:][from:to] {
		if r > least {
			val[n], idx[n] = r, int32(i)
			n++
		}
	}
	s.passed += n
	return n
}

func (s *source[T]) Slack(_, b int) T { return s.set.slack[b] }

func (s *source[T]) Order(query int, val []T, idx []int32) int {
	truth, rank := s.set.truth[s.first+query], s.set.rank[s.first+query]
	slices.SortFunc(idx, func(a, b int32) int {
		return cmp.Or(cmp.Compare(truth[b], truth[a]), cmp.Compare(a, b))
	})
	for i, row := range idx {
		val[i] = rank[row]
	}
	return len(idx)
}

// call looks for k rows.
type call[T Float] struct {
	set *set[T]
	k   int
}

func (c *call[T]) Begin(from, to int) *Task[T] {
	s := &source[T]{set: c.set, first: from}
	s.task.Begin(s, c.k, c.set.rows, to-from)
	return &s.task
}

func (c *call[T]) Finish(t *Task[T], query int) {
	s := t.Source().(*source[T])
	val, idx := t.Left(query)
	c.set.answers[s.first+query] = slices.Clone(idx[:min(c.k, s.Order(query, val, idx))])
}

func (c *call[T]) End(*Task[T]) {}

// TestSearch compares with sorting, where many true ranks are equal, blocks have errors or none, and any number of
// goroutines takes part.
func TestSearch(t *testing.T) {
	t.Run("f32", testSearch[float32])
	t.Run("f64", testSearch[float64])
}

func testSearch[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for try := range 300 {
		n, m, k := r.IntN(700), 1+r.IntN(7), 1+r.IntN(20)
		s := &set[T]{rows: 1 + r.IntN(200), answers: make([][]int32, m)}
		blocks := (n + s.rows - 1) / s.rows
		for range blocks {
			s.slack = append(s.slack, T(max(0, r.IntN(4)-try%4))/2)
		}
		if try%3 == 0 && blocks > 0 { // one error for all
			for b := range s.slack {
				s.slack[b] = s.slack[0]
			}
		}
		kinds := 1 + r.IntN(max(1, n))
		for range m {
			truth, rank := make([]T, n), make([]T, n)
			for i := range truth {
				truth[i] = T(r.IntN(kinds)-kinds/2) / 4
				rank[i] = truth[i] + T(r.IntN(5)-2)/2*s.slack[i/s.rows]
			}
			s.truth, s.rank = append(s.truth, truth), append(s.rank, rank)
		}
		want := make([][]int32, m)
		for query := range m {
			for i := range n {
				want[query] = append(want[query], int32(i))
			}
			slices.SortStableFunc(want[query], func(a, b int32) int {
				return cmp.Compare(s.truth[query][b], s.truth[query][a])
			})
			want[query] = want[query][:min(k, n)]
		}
		for workers := 1; workers < 6; workers++ {
			Search(&call[T]{s, k}, m, 1+try%3, blocks, workers)
			for query, got := range s.answers {
				if !slices.Equal(got, want[query]) {
					t.Fatalf("try %d, %d rows by %d, k = %d: query %d of %d, %d workers: rows %d, want %d", try, n,
						s.rows, k, query, m, workers, got, want[query])
				}
			}
		}
	}
}

// TestTrue: of rows with equal true ranks those that come later do not pass.
func TestTrue(t *testing.T) {
	s := &set[float64]{rows: 100, truth: [][]float64{make([]float64, 1000)}, slack: make([]float64, 10),
		answers: make([][]int32, 1)}
	s.rank = s.truth
	c := &call[float64]{s, 5}
	task := c.Begin(0, 1)
	task.look(0, 10)
	if passed := task.Source().(*source[float64]).passed; passed > 64 {
		t.Errorf("%d rows pass, want those that come before there is a threshold", passed)
	}
	if _, idx := task.Left(0); !slices.Equal(idx, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("rows %d, want the first 5", idx)
	}
}

func TestNth(t *testing.T) {
	x := []float32{3, -1, float32(math.Inf(-1)), 8, 3}
	for n, want := range []float32{8, 3, 3, -1, float32(math.Inf(-1))} {
		if got := Nth(slices.Clone(x), n); got != want {
			t.Errorf("element %d is %v, want %v", n, got, want)
		}
	}
	if v := Below(float32(1)); v != 1-0x1p-24 {
		t.Errorf("below 1 is %v", v)
	}
	if v := Below(float64(0)); v != -0x1p-1074 {
		t.Errorf("below 0 is %v", v)
	}
}
