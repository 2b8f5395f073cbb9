// Package parallel shares independent pieces of work among goroutines.
package parallel

import "github.com/dualgap/dualgap/internal/shape"

// Do calls f once for each i < n, from as many goroutines as workers, of which the caller is one, and returns when all
// are done. w, below workers, is the number of the goroutine. Which goroutine takes which i is chance: results must not
// depend on it.
func Do(workers, n int, f func(w, i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	newJob(n, f).run(workers)
}

// Ranges calls f once for each of as many parts of n things as there are workers, which differ by one in size at most,
// each in a goroutine. w is the number of the part.
func Ranges(workers, n int, f func(w, from, to int)) {
	Do(workers, workers, func(_, w int) { f(w, Share(n, workers, w), Share(n, workers, w+1)) })
}

// Chunks calls f once for each chunk of n things in a row, of size things each but for the last, as Do does.
func Chunks(workers, n, size int, f func(w, from, to int)) {
	Do(workers, shape.Pieces(n, size), func(w, i int) { f(w, i*size, min((i+1)*size, n)) })
}

// Share is where part p begins of n things in equal parts: p n / parts, without overflow.
func Share(n, parts, p int) int { return n/parts*p + min(p, n%parts) }
