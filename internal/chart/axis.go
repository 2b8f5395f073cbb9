package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// largest and its inverse are what axes show at most: margins around them are still finite.
const largest = 1e150

// shows tells whether v has a place on an axis: a finite number, on a logarithmic one above 0.
func shows(v float64, linear bool) bool {
	return math.Abs(v) <= largest && (linear || v >= 1/largest)
}

// setAxis puts an axis around the numbers, all of which it can show.
func setAxis(a *plot.Axis, numbers []float64, linear bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range numbers {
		low, high = min(low, v), max(high, v)
	}
	if len(numbers) == 0 {
		low, high = 1, 10
	}
	if linear {
		a.Min, a.Max = roomy(low, high)
		a.Tick.Marker = plot.TickerFunc(func(low,
			high float64) []plot.Tick {
			return plain(plot.DefaultTicks{}.Ticks(low, high))
		})
		return
	}
	a.Scale = plot.LogScale{}
	a.Min, a.Max = around(low, high)
	a.Tick.Marker = plot.TickerFunc(decades)
}

// roomy returns an interval that is not empty.
func roomy(low, high float64) (a, b float64) {
	if width := max(math.Abs(low), math.Abs(high), 1); high-low < 1e-9*width {
		return low - .05*width, high + .05*width
	}
	return low, high
}

// around returns an interval with at least two labels: the numbers 1, 2 or 5 times a power of ten next to it, where it
// is short, else itself and a little more.
func around(low, high float64) (a, b float64) {
	if high >= 30*low {
		margin := math.Pow(high/low, .03)
		return low / margin, high * margin
	}
	step := func(v float64, up bool) float64 {
		power := math.Pow(10, math.Floor(math.Log10(v)))
		best := power
		for _, m := range []float64{1, 2, 5, 10} {
			switch at := m * power; {
			case up && at >= v*(1-1e-12):
				return at
			case !up && at <= v*(1+1e-12):
				best = at
			}
		}
		if up {
			return 10 * power
		}
		return best
	}
	if a, b = step(low, false), step(high, true); b <= a {
		b = step(2*a, true)
	}
	return a, b
}

// decades returns ticks of a logarithmic axis: at most nine labels at powers of ten, and at 2 and 5 times these where
// there are few.
func decades(low, high float64) (ticks []plot.Tick) {
	from, to := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	span := math.Log10(high / low)
	every := 1 + int(span/9)
	for e := from; e <= to; e++ {
		for _, m := range []float64{1, 2, 5} {
			// exact, as m times a power is not
			v, err := strconv.ParseFloat(strconv.FormatFloat(m, 'f', 0, 64)+"e"+strconv.Itoa(e), 64)
			if err != nil || v < low*(1-1e-12) || v > high*(1+1e-12) {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 && e%every == 0 || span < 2.2 {
				t.Label = label(v)
			}
			if m == 1 || span < 6 {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// plain returns the ticks with labels as short as they can be.
func plain(ticks []plot.Tick) []plot.Tick {
	step := math.Inf(1)
	for k := 1; k < len(ticks); k++ {
		step = min(step, ticks[k].Value-ticks[k-1].Value)
	}
	for k, t := range ticks {
		if math.Abs(t.Value) < step/2 {
			ticks[k].Value = 0 // not -1e-17
		}
		if t.Label != "" {
			ticks[k].Label = label(ticks[k].Value)
		}
	}
	return ticks
}

// label returns a number as people write it: 0.01, 1000, 1e-5, 2e6.
func label(v float64) string {
	if a := math.Abs(v); v == 0 || a >= 1e-3 && a < 1e5 {
		s := strconv.FormatFloat(v, 'f', 6, 64)
		return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 4, 64), "e")
	mantissa = strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".")
	sign := ""
	if exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
