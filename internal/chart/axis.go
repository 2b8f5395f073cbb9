package chart

import (
	"fmt"
	"math"
	"strconv"
)

// axis maps numbers to its length, 0 to 1, by themselves or by their logarithms.
type axis struct {
	low, high float64 // of what is mapped: numbers, or decimal logarithms
	step      float64 // between two ticks
	linear    bool
}

// newAxis returns an axis around the numbers that it can show.
func newAxis(numbers []float64, linear bool) axis {
	a := axis{linear: linear, low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range numbers {
		if a.shows(v) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	switch {
	case a.low > a.high && linear:
		a.low, a.high = 0, 1
	case a.low > a.high:
		a.low, a.high = 1, 10
	}
	if linear {
		a.low, a.high, a.step = round(a.low, a.high)
	} else {
		a.low, a.high = decades(a.low, a.high)
		a.step = 1
	}
	return a
}

// shows tells whether v has a place: a finite number, on a logarithmic axis one above 0.
func (a axis) shows(v float64) bool { return v-v == 0 && (a.linear || v > 0) }

// at returns the place of v.
func (a axis) at(v float64) float64 {
	if !a.linear {
		v = math.Log10(v)
	}
	return (v - a.low) / (a.high - a.low)
}

// ticks calls mark with the place and the label of each tick, as SVG.
func (a axis) ticks(mark func(at float64, label string)) {
	for k := range int(math.Round((a.high-a.low)/a.step)) + 1 {
		v := a.low + float64(k)*a.step
		label := fmt.Sprintf(`10<tspan dy="-5" font-size="9">%.0f</tspan>`, v)
		if a.linear {
			if math.Abs(v) < a.step/2 {
				v = 0 // not -1e-17
			}
			label = strconv.FormatFloat(v, 'g', 6, 64)
		}
		mark((v-a.low)/(a.high-a.low), label)
	}
}

// decades returns the powers of ten around an interval, at least one apart.
func decades(low, high float64) (a, b float64) {
	a, b = math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	return a, max(b, a+1)
}

// round returns multiples of a step around an interval, and the step: 1, 2 or 5 times a power of ten, at most 8 of
// them.
func round(low, high float64) (a, b, step float64) {
	width := max(high-low, 1e-9*max(math.Abs(low), math.Abs(high)), 1e-300)
	step = math.Pow(10, math.Floor(math.Log10(width/6)))
	for _, times := range []float64{2, 2.5, 2} { // 1, 2, 5, 10
		if width/step <= 6 {
			break
		}
		step *= times
	}
	a, b = step*math.Floor(low/step+1e-9), step*math.Ceil(high/step-1e-9)
	return a, max(b, a+step), step
}
