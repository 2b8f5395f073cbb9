package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// catch returns a context that ends with the first Ctrl-C, or when the system asks the program to end. A second one ends
// the program at once.
func catch(ctx context.Context, log io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			fmt.Fprintln(log, "\nending: a certificate, then the model is saved; once more ends at once")
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// since returns the time from begin, rounded.
func since(begin time.Time) string {
	t := time.Since(begin)
	return t.Round(max(time.Millisecond, t/1000).Truncate(time.Millisecond)).String()
}
