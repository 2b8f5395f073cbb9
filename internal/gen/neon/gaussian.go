package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

var gaussian = source{"math", "gaussian", "Gaussian",
	"(nx, alpha, weight T, v, nz, y *T, n int, near *int32, add int) int",
	func(k *kernel) { newGaussian(k).each() }}

// closeness is package math's.
const closeness = 1. / 16

// gaussianKernel computes exp(alpha d) with d = s - 2v and s = nx + nz, and notes where d is not closeness s or more.
// That is rare, and done behind the return.
type gaussianKernel struct {
	*expKernel
	y, near     X // near steps forward
	x, far      []V
	t           []X // scratch
	afterReturn []func()
}

func newGaussian(k *kernel) *gaussianKernel {
	g := &gaussianKernel{expKernel: newExp(k, "alpha", "")}
	g.number("two", 2)
	g.number("closeness", closeness)
	return g
}

func (g *gaussianKernel) each() {
	k := g.kernel
	g.scalar = k.scalar("alpha")
	g.hold("bound", "-bound")
	nx := k.scalar("nx")
	v, nz, n := k.arg("v"), k.arg("nz"), k.arg("n")
	g.y, g.near = k.arg("y"), k.arg("near")
	g.x, g.far, g.t = k.vs(2), k.vs(2), []X{k.x(), k.x(), k.x()}
	for i := range g.work {
		g.work[i] = k.vs(5)
	}
	products, constant := []V{g.work[0][0], g.work[1][0]}, g.work[0][1]
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, 2, func(p piece) {
		r := p.runs()[0]
		x, far := g.x[:r.n], g.far[:r.n]
		k.Comment("s = nx + nz, d = s - 2v; is d at least closeness s?")
		k.load(r, products, v)
		k.load(r, x, nz)
		for _, s := range x {
			k.add(s, s, nx)
		}
		g.load("closeness", constant)
		for i, s := range x {
			k.mul(far[i], s, constant)
		}
		g.load("two", constant)
		for i, s := range x {
			k.fms(s, products[i], constant)
			k.FCMGE(k.arr, far[i], s, far[i])
		}
		g.exp(x)
		g.unlessFar(r)
		g.deliver(r)
	}, nil)
	k.section(done, "How many places were noted.")
	k.Op("MOVD", k.param("near"), g.t[0])
	k.Op("SUB", g.t[0], g.near, g.near)
	k.Op("LSR", imm(2), g.near, g.near)
	k.Op("MOVD", g.near, k.param("ret"))
	k.Op("RET")
	for _, f := range g.afterReturn {
		f()
	}
	g.write()
}

// unlessFar leaves the vectors of r to note unless all d reach their bounds.
func (g *gaussianKernel) unlessFar(r run) {
	k := g.kernel
	k.Comment("Where d is below its bound: behind the return.")
	all := g.far[0]
	if r.n == 2 {
		all = g.work[0][0]
		k.andBits(all, g.far[0], g.far[1])
	}
	k.Op("VMOV", all.Double(0), g.t[0])
	k.Op("VMOV", all.Double(1), g.t[1])
	k.Op("AND", g.t[0], g.t[1], g.t[1])
	near, noted := k.NewLabel("near"), k.NewLabel("noted")
	k.Op("CMN", imm(1), g.t[1]) // equal: all ones
	k.Op("BNE", near)
	k.Bind(noted)
	g.afterReturn = append(g.afterReturn, func() {
		k.Bind(near)
		g.note(r)
		k.Op("B", noted)
	})
}

// note appends the places of r that are not far, and makes the values there 0. y is still at r's first element. Each
// place is written, and the next over it unless it is to stay.
func (g *gaussianKernel) note(r run) {
	k := g.kernel
	place, lane, next := g.t[0], g.t[1], g.t[2]
	k.Comment("Places where d is below its bound are noted, and their values are 0.")
	k.Op("MOVD", k.param("y"), place)
	k.Op("SUB", place, g.y, place)
	k.Op("LSR", imm(k.shift()), place, place)
	for i := range r.n {
		for l := range r.bytes / k.size {
			k.Op("VMOV", g.far[i].Lane(k.arr, l), lane)
			k.Op("MOVW", place, a64.Mem(g.near, 0))
			k.Op("ADD", imm(4), g.near, next)
			k.Op("ADD", imm(1), place, place)
			k.Op("CMP", imm(0), lane)
			k.Op("CSEL", a64.Cond("EQ"), next, g.near, g.near)
		}
		k.andBits(g.x[i], g.x[i], g.far[i])
	}
}

// deliver stores the values, or adds them to y.
func (g *gaussianKernel) deliver(r run) {
	old := []V{g.work[0][0], g.work[1][0]}
	g.addTo(r, g.x[:r.n], old, g.work[0][1], g.y, g.t[0])
	g.store(r, g.x, g.y)
}

// addTo makes of the values v of r, if the argument add is not 0, what the sum of the elements at y and of v times the
// argument weight, rounded, is.
func (k *kernel) addTo(r run, v, old []V, weight V, y, temp X) {
	plain := k.NewLabel("plain")
	k.Op("MOVD", k.param("add"), temp)
	k.Op("CBZ", temp, plain)
	k.Op(k.move, k.param("weight"), weight)
	k.load(r.stay(), old, y)
	r.each(func(i int) {
		k.mulLane(v[i], v[i], []V{weight}, 0)
		k.add(v[i], v[i], old[i])
	})
	k.Bind(plain)
}
