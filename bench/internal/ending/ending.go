// Package ending ends a command in order when a signal asks it to.
package ending

import (
	"context"
	"os"
	"os/signal"
)

// Context returns a context that the first signal to end cancels: Ctrl-C, the system's wish, and the end of the
// terminal. A second signal ends the program at once, but while there is a Folder further signals do nothing.
// Signals that the program was started to ignore stay ignored, as the end of the terminal is under nohup.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	notify(signals)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, cancel
}

// Folder makes a temporary folder, the beginning of whose name is prefix, and returns the function that removes it. A
// signal to end does not end the program before that: it cancels the Context alone. An error is MkdirTemp's.
func Folder(prefix string) (dir string, remove func() error, err error) {
	held := make(chan os.Signal, 1) // nobody reads it: that the signals go there is enough
	notify(held)
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		signal.Stop(held)
		return "", nil, err
	}
	return dir, func() error {
		defer signal.Stop(held)
		return os.RemoveAll(dir)
	}, nil
}

// notify sends signals that ask the program to end to c, but those that are ignored.
func notify(c chan<- os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
}
