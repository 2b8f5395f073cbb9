package descriptor

// pyramid is a histogram of each cell of an image, on levels 0, 1, ...: 4^l cells of level l, row by row.
type pyramid struct {
	levels, bins, w, h int
	at                 []float32
}

func newPyramid(levels, bins, w, h int) *pyramid {
	return &pyramid{levels, bins, w, h, make([]float32, first(levels)*bins)}
}

// first is the number of cells below level l: (4^l - 1) / 3.
func first(l int) int { return (1<<(2*l) - 1) / 3 }

// add adds weight to a bin of the cells that hold pixel x, y, on all levels.
func (p *pyramid) add(x, y, bin int, weight float32) {
	for l := range p.levels {
		n := 1 << l
		p.at[(first(l)+y*n/p.h*n+x*n/p.w)*p.bins+bin] += weight
	}
}

// normalized returns the histograms, each level divided by its sum, all zero where that is zero.
func (p *pyramid) normalized() []float32 {
	for l := range p.levels {
		level := p.at[first(l)*p.bins : first(l+1)*p.bins]
		var sum float64
		for _, v := range level {
			sum += float64(v)
		}
		for i := range level {
			if sum > 0 {
				level[i] = float32(float64(level[i]) / sum)
			}
		}
	}
	return p.at
}
