package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
)

// bar is a line that overwrites itself, or nothing where on is false. Clear it before anything else is printed.
type bar struct {
	w     io.Writer
	on    bool
	width int // of what stands there
	drawn time.Time
}

// isTerminal reports whether w is a terminal or another character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show draws the fraction done, 0 to 1, and a text; not more than twenty times a second.
func (b *bar) show(done float64, text string) {
	const cells = 24
	if !b.on || b.width > 0 && time.Since(b.drawn) < time.Second/20 {
		return
	}
	if !(done > 0) { // or NaN
		done = 0
	}
	full := int(cells * min(done, 1))
	line := fmt.Sprintf("[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), text)
	fmt.Fprintf(b.w, "\r%s%s", line, strings.Repeat(" ", max(b.width-len(line), 0)))
	b.width, b.drawn = len(line), time.Now()
}

// training shows how far the gap has come from 1 to tol, on a logarithmic scale.
func (b *bar) training(loss topk.Loss, k int, tol float64, p solvers.Progress) {
	gap := p.RelativeGap()
	b.show(math.Log(gap)/math.Log(min(tol, 0.5)), fmt.Sprintf("%v k=%d  epoch %d, gap %.1e, %.1f s", loss, k, p.Epoch, gap, p.Elapsed.Seconds()))
}

// clear wipes the line out.
func (b *bar) clear() {
	if b.width > 0 {
		fmt.Fprintf(b.w, "\r%s\r", strings.Repeat(" ", b.width))
		b.width = 0
	}
}
