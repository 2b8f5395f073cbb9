package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dualgap/dualgap/solvers"
)

// text prints tables of at most 100 columns.
type text struct {
	w    io.Writer
	last string // kernel of the line before, or ""
}

func (t *text) info(i Info) error {
	_, err := fmt.Fprintf(t.w, "%v\n%s %s\n", i.CPU, i.Go, i.Platform)
	return err
}

func (t *text) kernel(single, double Kernel) error {
	var s strings.Builder
	if t.last == "" {
		s.WriteString(`
Kernels, one thread: ns a call (least of many), GB/s read and written, and how many times as fast as
the same in pure Go and as gonum; '-' where there is no such thing.

`)
		fmt.Fprintf(&s, "%26s%36s %36s\n", "", line("float32"), line("float64"))
		head := fmt.Sprintf("%10s %8s %7s %8s", "ns", "GB/s", "x Go", "x gonum")
		fmt.Fprintf(&s, "%-15s %10s%s %s\n", "kernel", "size", head, head)
	}
	name := single.Name
	if name == t.last {
		name = ""
	}
	t.last = single.Name
	fmt.Fprintf(&s, "%-15s %10v", name, single.Case)
	for _, k := range []Kernel{single, double} {
		fmt.Fprintf(&s, "%10.*f %8.1f %7s %8s", digits(k.NS), k.NS, k.GBps, times(k.GoNS, k.NS), times(k.GonumNS, k.NS))
		s.WriteString(" ")
	}
	_, err := fmt.Fprintln(t.w, strings.TrimRight(s.String(), " "))
	return err
}

// line returns a title over the columns of a type.
func line(title string) string { return "----------- " + title + " -----------" }

// digits returns the decimals that leave about three significant digits.
func digits(v float64) int {
	if v < 100 {
		return 1
	}
	return 0
}

// times returns how many times faster ours is.
func times(theirs, ours float64) string {
	if theirs == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", theirs/ours)
}

func (t *text) problem(p *problem) error {
	var s strings.Builder
	fmt.Fprintf(&s, "\nTop-k support vector machines on %s:\n", p.name)
	fmt.Fprintf(&s, "%d to train on and %d to test on, %d pixels, %d classes; float32, one thread, seed %d.\n", p.n, p.tests, p.d, p.m, p.seed)
	fmt.Fprintf(&s, "Objective: mean loss + lambda/2 |W|², lambda = %.4g", p.lambda)
	if p.c > 0 {
		fmt.Fprintf(&s, " = 1/(C n) with C = %v", p.c)
	}
	s.WriteString(".\nFor k = 1 the two losses are the same.")
	fmt.Fprintf(&s, "\nThe optimum lies between dual and primal; training ends at a relative gap of %v.\n", p.tol)
	fmt.Fprintf(&s, "top-j: %% of the test images whose class is among the first j guesses.\n")
	fmt.Fprintf(&s, "Of so many images an accuracy of 80 %% has a standard error of %.1f.\n\n", 100*math.Sqrt(0.8*0.2/float64(p.tests)))
	fmt.Fprintf(&s, "%-13s %3s %9s %9s %9s %7s %8s", "loss", "k", "primal", "dual", "gap", "epochs", "seconds")
	for j := range p.chance() {
		fmt.Fprintf(&s, " %5s", fmt.Sprintf("top-%d", j+1))
	}
	s.WriteString("\n" + percents("chance, j of the classes", "%6.1f", p.chance()))
	_, err := fmt.Fprintln(t.w, s.String())
	return err
}

func (t *text) model(_ *problem, m Model) error {
	c := m.Certificate
	line := fmt.Sprintf("%-13v %3d %9.5f %9.5f %9.1e %7d %8.2f", m.Loss, m.K, c.Primal, c.Dual, c.RelativeGap(), m.Epochs, m.Seconds)
	for _, a := range m.Accuracy {
		line += fmt.Sprintf("%6.1f", 100*a)
	}
	if m.Status != solvers.Converged {
		line += " " + m.Status.String()
	}
	if m.Against != nil {
		line += "\n" + percents("                  against k = 1", "%+6.1f", m.Against)
	}
	_, err := fmt.Fprintln(t.w, line)
	return err
}

func (t *text) zeroShotProblem(z *zeroShot) error {
	var names []string
	for _, c := range unseen {
		names = append(names, z.classes[c])
	}
	rows, _ := z.of(z.testY, unseen)
	_, err := fmt.Fprintf(t.w, `
Zero-shot learning: %d attributes of clothes, learned without an image of %s.
The prior of M3L is made of the attributes of these three; 1-vs-all has none. Tested on %d images.
wrong: %% of wrong attributes; named: %% of images whose class is the one with the nearest attributes.

%-13s %9s %9s %9s %8s
`, len(z.names), strings.Join(names, ", "), len(rows), "method", "C", "wrong", "named", "seconds")
	return err
}

func (t *text) zeroShot(_ *zeroShot, m ZeroShot) error {
	_, err := fmt.Fprintf(t.w, "%-13s %9g %9.1f %9.1f %8.2f\n", m.Method, m.C, 100*m.Hamming, 100*m.Named, m.Seconds)
	return err
}

func (t *text) manyKernelsProblem(m *manyKernels) error {
	_, err := fmt.Fprintf(t.w, `
Learning on many kernels: %d images by eight Gaussian kernels, one for each quarter of an image,
and one for each quarter of some other image, which tells nothing. C = %v.
p = 2 is the sum of all; the nearer p is to 1, the fewer kernels have a part.
share: %% of the norms that the kernels which look at the image have; right: %% of %d test images.

%-13s %9s %9s %9s %8s
`, len(m.y), manyC, len(m.testY), "norm", "share", "right", "gap", "seconds")
	return err
}

func (t *text) manyKernels(_ *manyKernels, k ManyKernels) error {
	_, err := fmt.Fprintf(t.w, "p = %-9g %9.1f %9.1f %9.1e %8.2f\n", k.P, 100*k.Share, 100*k.Accuracy, k.Gap, k.Seconds)
	return err
}

// percents returns a line of the table of models that has only accuracies.
func percents(name, format string, accuracy []float64) string {
	line := fmt.Sprintf("%-64s", name)
	for _, a := range accuracy {
		line += fmt.Sprintf(format, 100*a)
	}
	return line
}
