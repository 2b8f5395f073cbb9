package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/families"
	"github.com/dualgap/dualgap/bench/internal/kernels"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Headline says in some sentences what a run found: how much faster than plain Go and than gonum the kernels are, how
// long the families trained, and how calm the machine was. It is "" where there is nothing to say.
func Headline(s *results.Set) string {
	var said []string
	list := speeds(s.Lines)
	for _, rival := range []string{kernels.Plain, kernels.Gonum} {
		if text := against(list, rival); text != "" {
			said = append(said, text)
		}
	}
	if p := peak(list, "f32", s.Get("tier")); p > 0 {
		said = append(said, fmt.Sprintf("Products of matrices reach %s GFLOP/s in float32 on one thread.",
			number(p, 3)))
	}
	trained, total := 0, 0.0
	for _, f := range families.All {
		lines := models(s.Where("Train", "family", f.Name))
		for _, l := range lines {
			total += l.Value(results.Seconds)
		}
		trained += len(lines)
	}
	if trained > 0 {
		said = append(said, fmt.Sprintf("%d models were trained in %s, each with a proof of how near its "+
			"optimum it is.", trained, Duration(total)))
	}
	shaky, all := 0, 0
	for _, k := range list {
		for _, impl := range k.impls {
			all++
			if k.disagree(impl) {
				shaky++
			}
		}
	}
	if shaky > 0 {
		said = append(said, fmt.Sprintf("Rounds of %d of %d measurements of kernels differ by more than 10%%: they "+
			"are marked '~'.", shaky, all))
	}
	return strings.Join(said, " ")
}

// against says how many times as fast as a rival the kernels are: the median over the cases that stand for a kernel.
func against(list []speed, rival string) string {
	var times []float64
	for _, k := range list {
		if t := k.seconds(rival) / k.seconds(k.impls[0]); k.impls[0] != rival && common(k.Case) && t == t {
			times = append(times, t)
		}
	}
	if times == nil {
		return ""
	}
	slices.Sort(times)
	name := map[string]string{kernels.Plain: "plain loops in Go", kernels.Gonum: "gonum"}[rival]
	return fmt.Sprintf("Kernels are %s times as fast as %s (the median of %d, from %s to %s).",
		number(times[len(times)/2], 2), name, len(times), number(times[0], 2), number(times[len(times)-1], 2))
}
