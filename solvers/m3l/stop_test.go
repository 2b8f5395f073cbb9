package m3l

import (
	"context"
	"sync/atomic"
)

// endsSoon is a context that ends when it has been asked a few times, by whatever goroutines.
type endsSoon struct {
	context.Context
	left atomic.Int64
}

func soon(left int64) *endsSoon {
	c := &endsSoon{Context: context.Background()}
	c.left.Store(left)
	return c
}

func (c *endsSoon) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
