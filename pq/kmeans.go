package pq

import (
	"github.com/dualgap/dualgap/asm/lookup"
	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
)

// wave is k-means in some neighbouring subspaces at once. The sample is cut into chunks; one chunk in one subspace is
// the unit of work, and the sums of chunks are added in order, so that results do not depend on who did which.
type wave struct {
	*trainer
	first, last int
	subs        []subspace
	chunks      int
	scratch     []chunkScratch // of each worker
	moved       []bool         // by subspace, in the last iteration
}

// chunkPoints is a multiple of kernel.Lanes.
const chunkPoints = 4096

// subspace is the sample in one subspace, and its centroids.
type subspace struct {
	dsub      int
	points    []float32 // (n, dsub)
	packed    []float32 // the same as kernel.Pack leaves it; the last block filled up with the last point
	centroids []float32 // (ksub, dsub)
	columns   []float32 // (dsub, ksub)
	codes     []byte    // of the points, filled up like packed
	dist      []float32
	partial   []partial // of each chunk
}

// partial is what a chunk contributes to the centroids.
type partial struct {
	sums   []float32 // (ksub, dsub)
	counts []int32
	errors []float64 // Σ of the squared distances, by centroid
}

type chunkScratch struct{ tail []float32 }

func (t *trainer) newWave(first, last int) *wave {
	n, ksub := len(t.rows), t.q.ksub
	w := &wave{
		trainer: t, first: first, last: last, chunks: shape.Pieces(n, chunkPoints),
		subs: make([]subspace, last-first), moved: make([]bool, last-first),
	}
	padded := shape.Padded(n, kernel.Lanes)
	for i := range w.subs {
		dsub := t.q.width(first + i)
		s := &w.subs[i]
		*s = subspace{
			dsub:   dsub,
			points: make([]float32, n*dsub), packed: make([]float32, padded*dsub),
			centroids: make([]float32, ksub*dsub), columns: make([]float32, ksub*dsub),
			codes: make([]byte, padded), dist: make([]float32, padded),
			partial: make([]partial, w.chunks),
		}
		for c := range s.partial {
			s.partial[c] = partial{make([]float32, ksub*dsub), make([]int32, ksub), make([]float64, ksub)}
		}
	}
	width := t.q.width(first)
	for range min(t.Workers, len(w.subs)*w.chunks) {
		w.scratch = append(w.scratch, chunkScratch{make([]float32, kernel.Lanes*width)})
	}
	// All subspaces of a row are copied while the row is at hand.
	parallel.Do(t.Workers, w.chunks, func(_, c int) {
		from, to := w.bounds(c)
		for p := from; p < to; p++ {
			row := t.x.Row(t.rows[p])
			for i := range w.subs {
				s := &w.subs[i]
				copy(s.points[p*s.dsub:][:s.dsub], row[t.q.offset[first+i]:])
			}
		}
	})
	w.each(func(worker int, s *subspace, c int) { s.pack(&w.scratch[worker], c, n) })
	return w
}

// bounds returns the points [from, to) of chunk c.
func (w *wave) bounds(c int) (from, to int) {
	return c * chunkPoints, min((c+1)*chunkPoints, len(w.rows))
}

// each calls f for every chunk of every subspace.
func (w *wave) each(f func(worker int, s *subspace, c int)) {
	parallel.Do(w.Workers, len(w.subs)*w.chunks, func(worker, i int) { f(worker, &w.subs[i/w.chunks], i%w.chunks) })
}

// pack fills the part of packed that belongs to chunk c.
func (s *subspace) pack(scratch *chunkScratch, c, n int) {
	from, to := c*chunkPoints, min((c+1)*chunkPoints, n)
	full := (to - from) / kernel.Lanes
	kernel.Pack(full, s.dsub, &s.points[from*s.dsub], s.dsub, &s.packed[from*s.dsub])
	if done := from + full*kernel.Lanes; done < to {
		for l := range kernel.Lanes {
			copy(scratch.tail[l*s.dsub:][:s.dsub], s.points[min(done+l, to-1)*s.dsub:])
		}
		kernel.Pack(1, s.dsub, &scratch.tail[0], s.dsub, &s.packed[done*s.dsub])
	}
}

// start chooses the first centroids.
func (w *wave) start() {
	parallel.Do(w.Workers, len(w.subs), func(_, i int) {
		s := &w.subs[i]
		if w.warm {
			copy(s.centroids, w.q.centroids[w.q.ksub*w.q.offset[w.first+i]:])
		} else if w.PlusPlus {
			s.plusPlus(random(w.Seed, uint64(1+w.first+i)), len(w.rows), w.q.ksub)
		} else {
			s.firstPoints(len(w.rows), w.q.ksub)
		}
		s.transpose(w.q.ksub)
	})
}

// firstPoints takes the first points of the sample, which is in random order, that differ from each other; where
// there are too few, points twice.
func (s *subspace) firstPoints(n, ksub int) {
	seen := make(map[string]bool, ksub)
	key := make([]byte, 4*s.dsub)
	taken, p := 0, 0
	for ; taken < ksub && ksub-taken < n-p; p++ {
		point := s.points[p*s.dsub:][:s.dsub]
		for t, v := range point {
			putFloat(key[4*t:], v+0) // 0 and -0 are one
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			copy(s.centroids[taken*s.dsub:], point)
			taken++
		}
	}
	for ; taken < ksub; taken, p = taken+1, p+1 {
		copy(s.centroids[taken*s.dsub:][:s.dsub], s.points[p*s.dsub:])
	}
}

func (s *subspace) transpose(ksub int) {
	for c := range ksub {
		for t := range s.dsub {
			s.columns[t*ksub+c] = s.centroids[c*s.dsub+t]
		}
	}
}

// iterate assigns every point to its nearest centroid and moves the centroids to the means of their points. It reports
// whether none moved.
func (w *wave) iterate() (settled bool) {
	n, ksub := len(w.rows), w.q.ksub
	w.each(func(_ int, s *subspace, c int) { s.assign(c, n, ksub) })
	parallel.Do(w.Workers, len(w.subs), func(_, i int) { w.moved[i] = w.subs[i].update(n, ksub) })
	for _, m := range w.moved {
		if m {
			return false
		}
	}
	return true
}

// assign treats one chunk.
func (s *subspace) assign(c, n, ksub int) {
	from, to := c*chunkPoints, min((c+1)*chunkPoints, n)
	blocks := shape.Pieces(to-from, kernel.Lanes)
	kernel.Assign(blocks, s.dsub, ksub, &s.packed[from*s.dsub], &s.columns[0], &s.codes[from], 1, &s.dist[from])
	p := &s.partial[c]
	clear(p.sums)
	clear(p.counts)
	clear(p.errors)
	points, dist := s.points[from*s.dsub:to*s.dsub], s.dist[from:to]
	for i, code := range s.codes[from:to] {
		p.counts[code]++
		p.errors[code] += float64(dist[i])
	}
	addRows(p.sums, points, s.codes[from:to], s.dsub)
}

// addRows adds each point to the sum of its centroid.
func addRows(sums, points []float32, codes []byte, dsub int) {
	if dsub == 8 { // the most usual width
		for ; len(codes) >= lookup.Rows; points, codes = points[8*lookup.Rows:], codes[lookup.Rows:] {
			lookup.Scatter8(&sums[0], &codes[0], 1, &points[0], &codes[0])
		}
	}
	for i, code := range codes {
		sum, x := sums[int(code)*dsub:][:dsub], points[i*dsub:][:dsub]
		for t, v := range x {
			sum[t] += v
		}
	}
}

// update moves the centroids and reports whether one moved.
func (s *subspace) update(n, ksub int) (moved bool) {
	counts, errors, sums := make([]int32, ksub), make([]float64, ksub), make([]float64, len(s.centroids))
	for _, p := range s.partial {
		for i, v := range p.sums {
			sums[i] += float64(v)
		}
		for c := range ksub {
			counts[c] += p.counts[c]
			errors[c] += p.errors[c]
		}
	}
	for c := range ksub {
		if counts[c] == 0 {
			continue
		}
		for t := range s.dsub {
			mean := float32(sums[c*s.dsub+t] / float64(counts[c]))
			if at := &s.centroids[c*s.dsub+t]; *at != mean {
				*at, moved = mean, true
			}
		}
	}
	for c := range ksub {
		if counts[c] == 0 && s.reseed(c, n, counts, errors) {
			moved = true
		}
	}
	s.transpose(ksub)
	return moved
}

// reseed puts centroid c, which has no points, on the point that is farthest from its centroid in the cluster of
// largest error, and reports whether there was any error to mend.
func (s *subspace) reseed(c, n int, counts []int32, errors []float64) bool {
	worst := 0
	for k, e := range errors {
		if e > errors[worst] {
			worst = k
		}
	}
	if errors[worst] == 0 {
		return false
	}
	far := -1
	for i, d := range s.dist[:n] {
		if int(s.codes[i]) == worst && (far < 0 || d > s.dist[far]) {
			far = i
		}
	}
	copy(s.centroids[c*s.dsub:][:s.dsub], s.points[far*s.dsub:])
	s.dist[far] = 0 // it is taken
	errors[worst] /= 2
	return true
}

// mse is the sample's mean squared error in these subspaces, with the centroids before the last update.
func (w *wave) mse() (mse float64) {
	for i := range w.subs {
		for _, p := range w.subs[i].partial {
			for _, e := range p.errors {
				mse += e
			}
		}
	}
	return mse / float64(len(w.rows))
}

// store writes the centroids to the quantizer.
func (w *wave) store() {
	for i, s := range w.subs {
		copy(w.q.centroids[w.q.ksub*w.q.offset[w.first+i]:], s.centroids)
	}
}
