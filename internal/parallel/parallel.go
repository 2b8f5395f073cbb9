// Package parallel shares independent pieces of work among goroutines.
package parallel

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

// Share is where part p begins of n things in equal parts: p n / parts, without overflow.
func Share(n, parts, p int) int { return n/parts*p + min(p, n%parts) }
