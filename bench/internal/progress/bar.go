// Package progress shows how far a command has come.
package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/dualgap/dualgap/solvers"
)

// Bar is a line that overwrites itself on a terminal, and nothing elsewhere. Clear it before anything else is printed.
// The zero Bar shows nothing.
type Bar struct {
	bar   *progressbar.ProgressBar // nil: nothing is shown
	name  string                   // of what is shown, by which the time left is told
	drawn time.Time
}

// parts is how many steps the whole bar has.
const parts = 1000

// New returns a bar on w if that is a terminal.
func New(w io.Writer) *Bar {
	if !isTerminal(w) {
		return new(Bar)
	}
	return newBar(w)
}

func newBar(w io.Writer) *Bar {
	return &Bar{bar: progressbar.NewOptions(parts,
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(24), progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "#", SaucerPadding: ".", BarStart: "[", BarEnd: "]"}))}
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

// Show draws the fraction done, 0 to 1, and a text whose words before a comma, if there is one, name what is done; not
// more than twenty times a second. The time left is told from when that name came.
func (b *Bar) Show(done float64, text string) {
	name, _, _ := strings.Cut(text, ",")
	if b.bar == nil || name == b.name && time.Since(b.drawn) < time.Second/20 {
		return
	}
	if name != b.name {
		b.bar.Reset()
	}
	b.name, b.drawn = name, time.Now()
	if !(done > 0) { // or NaN
		done = 0
	}
	b.bar.Describe(text)
	b.bar.Set(min(int(parts*min(done, 1)), parts-1)) // a full bar would be at an end
}

// Training returns a function for a solver's Progress, which shows how far the gap of the model so named has come from
// 1 to tol, on a logarithmic scale.
func (b *Bar) Training(name string, tol float64) func(solvers.Progress) {
	return func(p solvers.Progress) {
		gap := p.RelativeGap()
		text := fmt.Sprintf("%s, epoch %d, gap %.1e, %.1f s", name, p.Epoch, gap, p.Elapsed.Seconds())
		b.Show(math.Log(gap)/math.Log(min(tol, 0.5)), text)
	}
}

// Clear wipes the line out.
func (b *Bar) Clear() {
	if b.bar != nil && b.name != "" {
		b.bar.Clear()
	}
}
