package parallel

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Pieces in a bubble may wait for its clock and use its channels, while helpers of other jobs wait outside.
func TestBubble(t *testing.T) {
	cores(t, 4)
	stop := make(chan struct{})
	var outside sync.WaitGroup
	outside.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				Do(3, 30, func(_, _ int) {})
			}
		}
	})
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			pieces := make(chan int, 10)
			Do(3, cap(pieces), func(_, i int) {
				pieces <- i
				time.Sleep(time.Millisecond)
			})
			if len(pieces) != cap(pieces) {
				t.Errorf("%d pieces, want %d", len(pieces), cap(pieces))
			}
		})
	}
	close(stop)
	outside.Wait()
}
