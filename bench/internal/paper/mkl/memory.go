package mkl

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// peak runs a function, and returns the most memory that the program had from the system meanwhile, in bytes, less what
// it gave back: looked at a hundred times a second.
func peak(run func()) uint64 {
	debug.FreeOSMemory()
	held := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64() - s[1].Value.Uint64()
	}
	most, stop, done := held(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, held())
			}
		}
	}()
	run()
	close(stop)
	<-done
	return max(most, held())
}
