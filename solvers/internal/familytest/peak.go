package familytest

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// grows is by how much what is counted grows before peak looks at how much of it is alive.
const grows = 1.03

// looker looks at how many bytes are alive.
type looker struct {
	sample []metrics.Sample
	before float64
}

// newLooker counts from now on: what a first call of peak leaves behind is alive in the next ones too.
func newLooker() *looker {
	l := &looker{sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	runtime.GC()
	runtime.GC() // what pools held
	l.before = l.alive()
	return l
}

func (l *looker) alive() float64 {
	metrics.Read(l.sample)
	return float64(l.sample[0].Value.Uint64())
}

// peak returns the most bytes that were alive at a time while do ran, above those in the beginning. What is dead and
// has not been found yet may be three hundredths of the whole heap, of which do has a small part: so the collector
// runs before a larger number than all before it is believed.
func (l *looker) peak(do func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(3))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)) // who looks waits for nobody's goroutine
	runtime.GC()
	runtime.GC()
	most := 0.0
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(20 * time.Microsecond):
				if l.alive()-l.before > grows*most {
					runtime.GC()
					most = max(most, l.alive()-l.before)
				}
			}
		}
	})
	do()
	close(over)
	watch.Wait()
	return most
}
