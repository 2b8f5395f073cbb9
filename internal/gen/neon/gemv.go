package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

const gemvSig = "(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)"

// Four rows at a time share the loads of x. Each pass of the loop takes a cache line of each row, so that rows whose
// distance is a power of two, which compete for the same few places in the cache, do not evict what is still needed.
var gemv = source{"blas", "gemv", "Gemv", gemvSig, emitGemv}

func emitGemv(k *kernel) {
	const group, unroll = 4, 4
	alpha, beta, n := k.scalar("alpha"), k.scalar("beta"), k.arg("n")
	columns := k.NewLabel("columns")
	k.Op("CMP", imm(0), n)
	k.Op("BGT", columns)
	k.zero(alpha) // the empty sum counts as zero even when alpha is infinite
	k.Op("MOVD", imm(0), n)
	k.Bind(columns)
	x, y, xNow, j := k.arg("x"), k.arg("y"), k.x(), k.x()
	xv, av, yv := k.vs(unroll), k.vs(unroll), k.vs(group/k.lanes())
	var acc [group][]V
	for i := range acc {
		acc[i] = k.vs(unroll)
	}
	k.eachRows(k.matrix(n, group), []int{group, 1}, func(rows []X) {
		sums := acc[:len(rows)]
		for _, s := range sums {
			k.zero(s...)
		}
		k.Op("MOVD", x, xNow)
		k.Op("MOVD", n, j)
		k.stream(j, unroll, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, xv, xNow)
				for i, row := range rows {
					k.loadData(r, av, row)
					r.each(func(c int) { k.fma(sums[i][c], av[c], xv[c]) })
				}
			}
		}, func() {
			for _, s := range sums {
				k.add(s[0], s[0], s[2])
				k.add(s[1], s[1], s[3])
			}
		})
		k.Comment("The sums of the rows, across chains and lanes; y = alpha s + beta y.")
		out := k.rowSums(sums)
		for _, r := range k.group(len(rows)).runs() {
			r.each(func(i int) { k.mul(out[i], out[i], alpha) })
			k.unlessZero(beta, func() {
				k.load(r.stay(), yv, y)
				r.each(func(i int) { k.fma(out[i], yv[i], beta) })
			})
			k.store(r, out, y)
		}
	})
	k.Op("RET")
}

// rowSums adds up the first two vectors of each row's sums and returns the vectors of the totals.
func (k *kernel) rowSums(sums [][]V) (out []V) {
	for _, s := range sums {
		k.add(s[0], s[0], s[1])
		out = append(out, s[0])
	}
	if len(out) == 1 {
		k.across(out[0], out[0])
	}
	for left := k.lanes(); left > 1 && len(out) > 1; left /= 2 {
		for i := 0; i < len(out); i += 2 {
			k.FADDP(k.arr, out[i], out[i], out[i+1])
			out[i/2] = out[i]
		}
		out = out[:len(out)/2]
	}
	return out
}

// unlessZero adds code that is skipped when the scalar v is zero.
func (k *kernel) unlessZero(v V, code func()) {
	skip := k.NewLabel("zero")
	k.ifZero(v, skip)
	code()
	k.Bind(skip)
}

// ifZero jumps when the scalar v is zero (and not when it is NaN).
func (k *kernel) ifZero(v V, to a64.Label) {
	k.Op("FCMP"+k.move[len("FMOV"):], a64.Symbol("$(0.0)"), v)
	k.Op("BEQ", to)
}
