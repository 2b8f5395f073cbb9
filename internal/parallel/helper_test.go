package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// cores sets GOMAXPROCS for a test.
func cores(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// settle waits until no helper waits.
func settle(t *testing.T) {
	for start := time.Now(); ; runtime.Gosched() {
		waiting := 0
		for i := range idle {
			if idle[i].Load() != nil {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("%d helpers wait after a minute, want 0", waiting)
		}
	}
}

// A helper that waits gets the job it is hired for, and only one of two gets it where one is wanted.
func TestHire(t *testing.T) {
	cores(t, 3)
	settle(t)
	j := newJob(1, func(_, _ int) {})
	got := make(chan *job)
	for range 2 {
		go func() { got <- new(helper).await(time.Hour) }()
	}
	hired, ended := 0, 0
	for hired == 0 && ended < 2 { // questions are counted: a helper may have gone before it is hired
		select {
		case other := <-got:
			if ended++; other != nil {
				t.Fatalf("a helper that nobody hired has job %p", other)
			}
		default:
			hired = hire(j, 1)
		}
	}
	for ; ended < 2; ended++ {
		if other := <-got; other == j {
			hired--
		} else if other != nil {
			t.Errorf("job %p, want %p", other, j)
		}
	}
	if hired != 0 {
		t.Errorf("%d more hired than came", hired)
	}
	settle(t)
}

// At most GOMAXPROCS-1 helpers wait.
func TestAwaitFull(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		cores(t, n)
		settle(t)
		others := make([]helper, n-1)
		for i := range others {
			idle[i].Store(&others[i])
		}
		if j := new(helper).await(time.Hour); j != nil {
			t.Errorf("GOMAXPROCS %d: job %p, want none", n, j)
		}
		if got := hire(newJob(1, nil), n); got != n-1 {
			t.Errorf("GOMAXPROCS %d: %d helpers wait, want %d", n, got, n-1)
		}
		for i := range others {
			if !others[i].hired() {
				t.Errorf("GOMAXPROCS %d: helper %d has no job", n, i)
			}
		}
	}
}

// A helper that waits in vain leaves.
func TestAwaitVain(t *testing.T) {
	cores(t, 2)
	settle(t)
	if j := new(helper).await(0); j != nil {
		t.Errorf("job %p, want none", j)
	}
	if got := hire(newJob(1, nil), 1); got != 0 {
		t.Errorf("%d helpers wait, want 0", got)
	}
}

// A helper that comes when no piece is left does nothing.
func TestLate(t *testing.T) {
	done := 0
	j := newJob(3, func(_, _ int) { done++ })
	j.work(0)
	help(j)
	j.wait()
	if done != 3 {
		t.Errorf("%d pieces done, want 3", done)
	}
	settle(t)
}

// A caller that waits long leaves its core and comes back when the helper has done the last piece; the helper ends.
func TestAway(t *testing.T) {
	cores(t, 2)
	settle(t)
	var helps, ended atomic.Bool
	var j *job
	j = newJob(2, func(w, _ int) {
		if w == 0 {
			for !helps.Load() {
				runtime.Gosched()
			}
			return
		}
		helps.Store(true)
		for !j.away.Load() {
			runtime.Gosched()
		}
		ended.Store(true)
	})
	j.run(2)
	if !ended.Load() {
		t.Error("the caller did not wait for the helper's piece")
	}
}

// Many callers at a time each get their pieces done once, by goroutines of different numbers; then no goroutine is
// left.
func TestCallers(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, n := range []int{1, 2, 4} {
		cores(t, n)
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(func() {
				for call := range 200 {
					var done [7]int
					var busy [4]atomic.Bool
					Do(len(busy), len(done), func(w, i int) {
						if !busy[w].CompareAndSwap(false, true) {
							t.Errorf("call %d: two goroutines are number %d", call, w)
						}
						done[i]++
						busy[w].Store(false)
					})
					if done != [7]int{1, 1, 1, 1, 1, 1, 1} {
						t.Errorf("call %d: pieces done %d times", call, done)
					}
				}
			})
		}
		callers.Wait()
	}
	for start := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Since(start) > time.Minute {
			t.Fatalf("%d goroutines after a minute, want %d", runtime.NumGoroutine(), before)
		}
	}
}

// A piece that ends its goroutine does not keep the caller waiting.
func TestGoexit(t *testing.T) {
	cores(t, 2)
	settle(t)
	over := make(chan struct{})
	go func() {
		defer close(over)
		ended := make(chan struct{})
		Do(2, 2, func(w, _ int) {
			if w == 1 {
				defer close(ended)
				runtime.Goexit()
			}
			<-ended
		})
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("the caller waits for ever")
	}
}
