package main

// pairProject writes the projected gradient and finds its largest number.
var pairProject = source{"pair", "project", "Project", "(dst, slope, x, end *T, n int) (at int, most T)",
	func(k *kernel) {
		dst, g, x, end, n := k.arg("dst"), k.arg("slope"), k.arg("x"), k.arg("end"), k.arg("n")
		lead, v := k.newLeader(0), k.vs(5)
		vg, vx, stop, top, mask := v[0], v[1], v[2], v[3], v[4]
		k.Comment("The slope, 0 where x is at the end that it leads to; the largest number of dst.")
		k.stream(n, 1, func(piece piece) {
			for _, r := range piece.runs() {
				k.load(r, []V{vg}, g)
				k.load(r, []V{vx}, x)
				k.load(r, []V{stop}, end)
				k.FMAX(k.arr, top, stop, lead.zero)
				k.FMIN(k.arr, stop, stop, lead.zero)
				k.FCMGT(k.arr, mask, vg, lead.zero)
				k.insert(stop, top, mask)
				k.FCMEQ(k.arr, mask, vx, stop)
				k.insert(vg, lead.zero, mask)
				k.store(r, []V{vg}, dst)
				k.FABS(k.arr, vg, vg)
				lead.note(vg, piece, false)
				lead.next(piece)
			}
		}, nil)
		lead.result("at", "most")
	}}

// pairPartner finds the partner of an unbounded step. No product is fused with a sum, so that the bits are the twin's.
var pairPartner = source{"pair", "partner", "Partner",
	"(row, q, slope *T, n int, a, gk, parted T) (best int, gain T)", emitPairPartner}

var pairPartnerMixed = source{"pair", "partnermixed", "PartnerMixed",
	"(row, q *float32, slope *float64, n int, a, gk, parted float64) (best int, gain float64)",
	ofSingle(emitPairPartner)}

func emitPairPartner(k *kernel) {
	row, q, g, n := k.arg("row"), k.arg("q"), k.arg("slope"), k.arg("n")
	a, twice, parted := k.scalar("a"), k.scalar("gk"), k.scalar("parted")
	lead, v := k.newLeader(0), k.vs(8)
	square, kl, kll, gl, det, t, far, none := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
	k.mul(square, twice, twice)
	k.add(twice, twice, twice)
	k.Comment("det = a kll - kl², and the gain (gk² kll - 2 gk gl kl + a gl²)/det,",
		"0 where det is not above parted a kll, or gl = 0.")
	k.stream(n, 1, func(piece piece) {
		for _, r := range piece.runs() {
			k.loadData(r, []V{kl}, row)
			k.loadData(r, []V{kll}, q)
			k.load(r, []V{gl}, g)
			k.mul(det, a, kll)
			k.mul(far, parted, det)
			k.mul(t, kl, kl)
			k.FSUB(k.arr, det, det, t)
			k.FCMGT(k.arr, far, det, far)
			k.FCMEQ(k.arr, none, gl, lead.zero)
			k.mul(kll, square, kll)
			k.mul(t, twice, gl)
			k.mul(t, t, kl)
			k.mul(gl, gl, gl)
			k.mul(gl, gl, a)
			k.add(kll, kll, gl)
			k.FSUB(k.arr, kll, kll, t)
			k.FDIV(k.arr, kll, kll, det)
			k.andBits(kll, kll, far)
			k.insert(kll, lead.zero, none)
			lead.note(kll, piece, false)
			lead.next(piece)
		}
	}, nil)
	lead.result("best", "gain")
}

// result returns the index of the best and that, -1 and 0 where nothing has led from 0.
func (l *leader) result(at, best string) {
	k, index, some := l.k, l.index(false), l.k.NewLabel("some")
	k.Comment("-1 where nothing has led.")
	k.Op("FCMPD", l.zero, l.best) // best - 0
	k.Op("BGT", some)
	k.Op("MOVD", imm(-1), index)
	k.Bind(some)
	k.Op("MOVD", index, k.param(at))
	k.Op("FMOVD", l.best, k.param(best))
	k.Op("RET")
}
