package parallel

import (
	"sync"
	"sync/atomic"
	"time"
)

// job is one call of Do: n pieces, which its caller and its helpers take one by one.
type job struct {
	f    func(w, i int)
	n    int
	from time.Time      // when it began
	next atomic.Int64   // the first piece that nobody has taken
	left atomic.Int64   // the number of pieces that are not done, or not known to be
	last atomic.Int64   // the number of the helper that came last
	away atomic.Bool    // the caller has stopped to wait on its core
	over sync.WaitGroup // until all pieces are done
	test bool           // it runs in a bubble of testing/synctest, whose goroutines must not meet others
}

func newJob(n int, f func(w, i int)) *job {
	j := &job{f: f, n: n, from: time.Now()}
	j.test = j.from == j.from.Round(0) // only in bubbles times have no monotonic part
	j.left.Store(int64(n))
	j.over.Add(1)
	return j
}

// run does the job by a number of goroutines, of which the caller is one. It does not wait for a helper that comes when
// no piece is left.
func (j *job) run(workers int) {
	others := workers - 1
	if !j.test {
		others -= hire(j, others)
	}
	if others > 0 {
		for range others {
			go help(j)
		}
		// The goroutine made last waits for this one to give way: an idle core takes it only 80 µs later, but takes the
		// others at once.
		go func() {}()
	}
	j.work(0)
	j.wait()
}

// work takes pieces until none is left. w is the number of the goroutine.
//
// A piece may end its goroutine (runtime.Goexit): it counts as done then, so that the caller does not wait for ever.
// After a panic in a helper, which ends the process, the caller does not go on.
func (j *job) work(w int) {
	taken := int64(0)
	defer func() {
		if w > 0 {
			if reason := recover(); reason != nil {
				panic(reason)
			}
		}
		if taken > 0 && j.left.Add(-taken) == 0 {
			j.over.Done()
		}
	}()
	for i := int(j.next.Add(1)) - 1; i < j.n; i = int(j.next.Add(1)) - 1 {
		taken++
		j.f(w, i)
	}
}

// wait returns when all pieces are done.
func (j *job) wait() {
	if spin(j.patience(), j.done) {
		return
	}
	j.away.Store(true)
	j.over.Wait()
}

func (j *job) done() bool { return j.left.Load() == 0 }

// patience is the time for which a goroutine that has no more to do for the job keeps its core: no longer than the job
// has taken, so that little is lost where jobs are rare, and 50 µs at most. To wake another core takes 5 to 80 µs.
func (j *job) patience() time.Duration { return min(50*time.Microsecond, time.Since(j.from)) }
