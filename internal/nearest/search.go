// Package nearest finds the k rows of many that are nearest to each of many queries. It knows no rows and no metric: a
// [Source] ranks the rows of a block with a query, the larger the nearer, and says how far from the truth ranks may be.
package nearest

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
)

// Caller is what one call of a search is about.
type Caller[T Float] interface {
	// Begin returns a task for queries from, ..., to-1, with no row seen: see [Task.Begin].
	Begin(from, to int) *Task[T]
	// Finish writes the rows that are nearest to a query of a task. It is called once for each query, by any goroutine.
	Finish(t *Task[T], query int)
	// End takes back a task that Begin returned.
	End(t *Task[T])
}

// Search finds rows for a number of queries, of which a task takes at most most, among a number of blocks of rows. Up
// to workers goroutines share the blocks of queries, and the blocks of rows where there are fewer of those. With one
// worker it allocates nothing.
func Search[T Float](c Caller[T], queries, most, blocks, workers int) {
	if workers > 1 {
		shared(c, queries, most, blocks, workers)
		return
	}
	for from := 0; from < queries; from += most {
		t := c.Begin(from, min(from+most, queries))
		t.look(0, blocks)
		t.finish(c)
		c.End(t)
	}
}

func shared[T Float](c Caller[T], queries, most, blocks, workers int) {
	groups := shape.Pieces(queries, most)
	parts := max(1, min(workers/groups, blocks))
	tasks := make([]*Task[T], groups*parts)
	parallel.Do(workers, len(tasks), func(_, i int) {
		from, part := i/parts*most, i%parts
		tasks[i] = c.Begin(from, min(from+most, queries))
		tasks[i].look(parallel.Share(blocks, parts, part), parallel.Share(blocks, parts, part+1))
	})
	parallel.Do(workers, groups, func(_, group int) {
		t := tasks[group*parts]
		for _, other := range tasks[group*parts+1:][:parts-1] {
			t.join(other)
		}
		t.finish(c)
	})
	for _, t := range tasks {
		c.End(t)
	}
}
