// Package progress draws how far a command has come.
package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// Bar is a line that overwrites itself on a terminal, and nothing elsewhere. Clear it before anything else is printed.
type Bar struct {
	w     io.Writer
	on    bool
	width int // of what stands there
	drawn time.Time
}

// New returns a bar on w if that is a terminal.
func New(w io.Writer) *Bar { return &Bar{w: w, on: isTerminal(w)} }

// isTerminal reports whether w is a terminal or another character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Show draws the fraction done, 0 to 1, and a text; not more than twenty times a second.
func (b *Bar) Show(done float64, text string) {
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

// Training returns a function for a solver's Progress, which shows how far the gap of the model so named has come from
// 1 to tol, on a logarithmic scale.
func (b *Bar) Training(name string, tol float64) func(solvers.Progress) {
	return func(p solvers.Progress) {
		gap := p.RelativeGap()
		text := fmt.Sprintf("%s  epoch %d, gap %.1e, %.1f s", name, p.Epoch, gap, p.Elapsed.Seconds())
		b.Show(math.Log(gap)/math.Log(min(tol, 0.5)), text)
	}
}

// Clear wipes the line out.
func (b *Bar) Clear() {
	if b.width > 0 {
		fmt.Fprintf(b.w, "\r%s\r", strings.Repeat(" ", b.width))
		b.width = 0
	}
}
