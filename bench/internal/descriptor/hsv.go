package descriptor

// HSV returns the pyramid of histograms of colours: 12 hues by 3 saturations by 3 values, of which the value changes
// fastest (Smith, Color gamut transform pairs, 1978). Grey has hue 0. Each level has sum 1.
func HSV(rgb [3]Plane, levels int) []float32 {
	w, h := rgb[0].W, rgb[0].H
	out := newPyramid(levels, 12*3*3, w, h)
	for i := range w * h {
		hue, s, v := hsv(rgb[0].At[i], rgb[1].At[i], rgb[2].At[i])
		bin := (bin(hue/6, 12)*3+bin(s, 3))*3 + bin(v, 3)
		out.add(i%w, i/w, bin, 1)
	}
	return out.normalized()
}

// bin is the bin of v in [0, 1], of n of equal width.
func bin(v float32, n int) int { return min(n-1, int(v*float32(n))) }

// hsv returns the hue in [0, 6), saturation and value in [0, 1].
func hsv(r, g, b float32) (hue, s, v float32) {
	v = max(r, g, b)
	d := v - min(r, g, b)
	if d == 0 {
		return 0, 0, v
	}
	switch v {
	case r:
		if hue = (g - b) / d; hue < 0 {
			hue += 6
		}
	case g:
		hue = 2 + (b-r)/d
	default:
		hue = 4 + (r-g)/d
	}
	return hue, d / v, v
}
