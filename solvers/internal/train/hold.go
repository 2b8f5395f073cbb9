package train

import (
	"context"
	"time"

	"github.com/dualgap/dualgap/internal/container"
)

// Hold is called by an Epoch before work that takes long and does not look at ctx. It keeps a copy of the state, the
// training's own until release is called: if ctx ends before, the copy is saved at once, by another goroutine, while
// the work goes on. Such a state must be one that Load takes: the work is done again then.
func Hold(ctx context.Context) (release func()) { return hold(ctx, false) }

// Still is Hold without a copy, for work that changes nothing that Save writes.
func Still(ctx context.Context) (release func()) { return hold(ctx, true) }

// holderKey is the key of a context's holder.
type holderKey struct{}

// holder is Hold, or Still, of the training that a context belongs to.
type holder func(ctx context.Context, still bool) (release func())

func hold(ctx context.Context, still bool) (release func()) {
	if h, ok := ctx.Value(holderKey{}).(holder); ok {
		return h(ctx, still)
	}
	return func() {}
}

// holding returns ctx with the holder of this run, if there are checkpoints.
func (r *run[T]) holding(ctx context.Context) context.Context {
	if r.o.Checkpoint.Save == nil {
		return ctx
	}
	return context.WithValue(ctx, holderKey{}, holder(r.hold))
}

// fingerprint begins to compute what a state says of the data, where there are checkpoints.
func (r *run[T]) fingerprint() (wait func()) {
	if r.o.Checkpoint.Save == nil {
		return func() {}
	}
	return r.o.Identity.Ahead()
}

// hold is Hold or Still. Why a state could not be saved is not told: the state that follows, which is saved as well,
// has the same reason.
func (r *run[T]) hold(ctx context.Context, still bool) (release func()) {
	ended, clock, method := ctx.Done(), *r.c, r.m.Save
	if ended == nil {
		return func() {}
	}
	if !still {
		held, err := container.Hold(r.m.Save)
		if err != nil {
			return func() {}
		}
		method = held.Append
	}
	return AtEnd(ended, func() {
		clock.elapsed = time.Since(r.start)
		r.calls.Lock()
		defer r.calls.Unlock()
		r.o.Checkpoint.Save(writeTo(r.o.Identity, &clock, method))
	})
}

// AtEnd has another goroutine call do if ended is closed before release is called, which waits for it.
func AtEnd(ended <-chan struct{}, do func()) (release func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-ended:
			do()
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-done
	}
}
