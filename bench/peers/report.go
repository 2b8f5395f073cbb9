package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// Report is what the command prints as JSON.
type Report struct {
	CPU      vec.CPUInfo `json:"cpu"`
	OpenBLAS string      `json:"openblas"`
	Core     string      `json:"openblas_core"`            // whose kernels OpenBLAS runs
	Instead  string      `json:"openblas_chose,omitempty"` // whose it chose by itself: see fair.go
	Misalign int         `json:"misalign"`                 // elements from a 64-byte boundary
	Rounds   int         `json:"rounds"`
	Results  []*Result   `json:"results"`
	Pairs    []Pair      `json:"pairs,omitempty"`
}

// Result is one case: ours and every rival that has the kernel.
type Result struct {
	Case
	NS     []float64 `json:"ns"`   // ours, of each round
	GBps   float64   `json:"gbps"` // ours, at the median
	Rivals []Rival   `json:"rivals"`
}

// Rival is one rival in a case. Its ratios are its time over ours: more than 1 where ours is faster.
type Rival struct {
	Impl   string    `json:"impl"`
	NS     []float64 `json:"ns"`
	Ratios []float64 `json:"ratios"`
	Median float64   `json:"median"` // of the ratios
}

// insteadOf is what OpenBLAS chose by itself, if the program was started anew for that.
var insteadOf string

func newReport(misalign, rounds int) *Report {
	config, core := openblasInfo()
	return &Report{CPU: vec.Info(), OpenBLAS: config, Core: core, Instead: insteadOf, Misalign: misalign,
		Rounds: rounds}
}

func newResult(c Case, impls []string, ns [][]float64) *Result {
	r := &Result{Case: c, NS: ns[0], GBps: float64(c.Work()) / median(ns[0])}
	for i := 1; i < len(ns); i++ {
		q := ratios(ns[i], ns[0])
		r.Rivals = append(r.Rivals, Rival{Impl: impls[i], NS: ns[i], Ratios: q, Median: median(q)})
	}
	return r
}

// printHead prints what ran and the head of the table.
func (r *Report) printHead(w io.Writer) {
	instead := ""
	if r.Instead != "" {
		instead = fmt.Sprintf(" (by itself it chose %s, too narrow for this CPU)", r.Instead)
	}
	fmt.Fprintf(w, "%v\nrival: %s, kernels for %s%s\nalignment: 64 bytes + %d elements\n", r.CPU, r.OpenBLAS, r.Core,
		instead, r.Misalign)
	fmt.Fprintf(w, "ns a call (median of %d rounds); ratio: rival's time over ours, median (least-greatest)\n\n",
		r.Rounds)
	fmt.Fprintf(w, "%-36s %10s %7s\n", "", "ours, ns", "GB/s")
}

// print prints the result as one line of the table.
func (r *Result) print(w io.Writer) {
	var line strings.Builder
	fmt.Fprintf(&line, "%-36v %10.2f %7.1f", r.Case, median(r.NS), r.GBps)
	for _, v := range r.Rivals {
		fmt.Fprintf(&line, "  %-8s %10.2f %6.2f (%.2f-%.2f)", v.Impl, median(v.NS), v.Median, slices.Min(v.Ratios),
			slices.Max(v.Ratios))
	}
	fmt.Fprintln(w, line.String())
}

func (r *Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
