package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// helper is a goroutine that has done its part of a job. For a short time it waits on its core for another job: one
// that follows soon need not wake a core.
type helper struct{ job atomic.Pointer[job] }

// idle holds the helpers that wait.
var idle [64]atomic.Pointer[helper]

// hire gives the job to as many as want of the helpers that wait. It returns the number of those that took it.
func hire(j *job, want int) (hired int) {
	for i := range idle {
		if hired == want {
			break
		}
		if idle[i].Load() == nil { // which is faster than Swap
			continue
		}
		if h := idle[i].Swap(nil); h != nil {
			h.job.Store(j)
			hired++
		}
	}
	return hired
}

// help does a part of the job j, and of jobs that follow soon. It ends where the caller of the job waits off its core:
// the core is the caller's then.
func help(j *job) {
	h := new(helper)
	for j != nil {
		j.work(int(j.last.Add(1)))
		if j.away.Load() || j.test {
			return
		}
		j = h.await(j.patience())
	}
}

// await returns the job that h is given within a time, or nil. So that one core is left to the caller, at most
// GOMAXPROCS-1 helpers wait.
func (h *helper) await(limit time.Duration) *job {
	for i := range min(runtime.GOMAXPROCS(0)-1, len(idle)) {
		if !idle[i].CompareAndSwap(nil, h) {
			continue
		}
		if !spin(limit, h.hired) && idle[i].CompareAndSwap(h, nil) {
			return nil
		}
		for !h.hired() { // whoever took h out of idle is about to store a job
		}
		return h.job.Swap(nil)
	}
	return nil
}

func (h *helper) hired() bool { return h.job.Load() != nil }

// spin asks until the answer is yes, for a time at most, or not at all again where GOMAXPROCS is 1. It returns the last
// answer. Reading the clock stops the CPU's pipeline for some 20 ns, which leaves what a core shares with its neighbour
// to that one. Questions are counted, too, since a clock may stand still (testing/synctest).
func spin(limit time.Duration, answer func() bool) bool {
	if answer() {
		return true
	}
	if runtime.GOMAXPROCS(0) == 1 {
		return false
	}
	begin := time.Now()
	for range 1 << 12 {
		if answer() {
			return true
		}
		if time.Since(begin) >= limit {
			break
		}
	}
	return answer()
}
