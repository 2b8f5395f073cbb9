package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// catch returns a context that ends with the first Ctrl-C, when the terminal is closed or when the system asks the
// program to end. A Ctrl-C after that ends the program at once, but no other: a terminal that is closed tells so twice.
// Signals that the program was started to ignore stay ignored, as the end of the terminal is under nohup. Nor is a
// closed pipe, of which nobody reads the notes any more, the end of a training. What the first one does is told.
func catch(ctx context.Context, log io.Writer, told string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	for _, s := range endings {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	if len(closed) > 0 { // of no signals Notify takes all
		signal.Notify(make(chan os.Signal, 1), closed...) // nobody looks at them, to the end: to be told is enough
	}
	go func() {
		select {
		case <-signals:
			signal.Reset(os.Interrupt)
			fmt.Fprintf(log, "\nending: %s; Ctrl-C ends at once\n", told)
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
