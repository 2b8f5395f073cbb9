package loss

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// What the losses with one true class share: x is the block without the true class y, a the block with it.

// target sets b to the point that the update projects (Proposition 4, where rho = 1 and inv = 1/h),
//
//	b_j = inv (margin + s_j - s_y) + rho (x_j + <1,x>).
func target[T vec.Float](b, a, s []T, y int, margin, inv, rho T) {
	sum := rho * a[y]
	margin -= s[y]
	unchecked.TargetBlock(b[:y], a[:y], s[:y], margin, inv, rho, sum)
	unchecked.TargetBlock(b[y:], a[y+1:], s[y+1:], margin, inv, rho, sum)
}

// moveX is move to the block of x.
func moveX[T vec.Float](a, x []T, y int, delta []T) bool {
	sum, moved := unchecked.MoveBlock(a[:y], x[:y], delta[:y])
	sum2, moved2 := unchecked.MoveBlock(a[y+1:], x[y:], delta[y+1:len(a)])
	to := T(sum + sum2)
	delta[y], a[y] = to-a[y], to
	return moved || moved2 || delta[y] != 0
}

// sumOthers returns <1,x>. The entry at y is that sum rounded to T; this one is exact but for float64.
func sumOthers[T vec.Float](a []T, y int) float64 {
	return -unchecked.SumBlock(a[:y]) - unchecked.SumBlock(a[y+1:])
}

// repair moves a to the set of radius r: see settle.
func repair[T vec.Float](a []T, y, k int, r float64, cone bool, w *Workspace[T]) {
	x := w.take(len(a) - 1)
	for j, v := range a[:y] {
		x[j] = max(0, -v)
	}
	for j, v := range a[y+1:] {
		x[y+j] = max(0, -v)
	}
	settle(x, k, r, r, cone)
	put(a, x, y)
}

// put sets a to the block of x, whose entry at y is the sum of x as rounded to T.
func put[T vec.Float](a, x []T, y int) {
	for j := range a[:y] {
		a[j] = -x[j]
	}
	for j := range a[y+1:] {
		a[y+1+j] = -x[y+j]
	}
	a[y] = T(sum(x))
}

// worst returns the largest score of a class other than y.
func worst[T vec.Float](s []T, y int) float64 {
	switch y {
	case 0:
		return float64(vec.Max(s[1:]))
	case len(s) - 1:
		return float64(vec.Max(s[:y]))
	}
	return float64(max(vec.Max(s[:y]), vec.Max(s[y+1:])))
}

// largest returns the k largest scores of classes other than y, the largest first. The processor cannot guess which of
// a few scores are among them. So where kernels sort it is quicker to sort all of up to 256 scores, and to filter more.
func largest[T vec.Float](s []T, y, k int, w *Workspace[T]) []T {
	if !unchecked.SortsByVectors() {
		return insertLargest(s, y, k, w)
	}
	n := len(s) - 1
	x := w.take(n + k)
	x, top := x[:n], x[n:]
	copy(x[:y], s[:y])
	copy(x[y:], s[y+1:])
	if n <= 256 {
		vec.SortDescending(x)
		return x[:k]
	}
	if len(w.places) < k {
		w.places = make([]int32, k)
	}
	vec.TopK(top, w.places[:k], x)
	return top
}

// insertLargest is largest by insertion into k sorted places: O(m) moves as a rule where k is small, O(m k) at worst.
func insertLargest[T vec.Float](s []T, y, k int, w *Workspace[T]) []T {
	top := w.take(k)[:0]
	for j, v := range s {
		if j == y || len(top) == k && !(v > top[k-1]) {
			continue
		}
		if len(top) < k {
			top = append(top, v)
		}
		i := len(top) - 1
		for ; i > 0 && top[i-1] < v; i-- {
			top[i] = top[i-1]
		}
		top[i] = v
	}
	return top
}

// sum returns the sum of x in float64.
func sum[T vec.Float](x []T) float64 {
	var s0, s1, s2, s3 float64 // four chains of additions
	for len(x) >= 4 {
		s0 += float64(x[0])
		s1 += float64(x[1])
		s2 += float64(x[2])
		s3 += float64(x[3])
		x = x[4:]
	}
	for _, v := range x {
		s0 += float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}
