package unchecked

import (
	"github.com/dualgap/dualgap/asm/pair"
	"github.com/dualgap/dualgap/vec"
)

// PairScanOf is PairScan in any type, PairKinks what a scan takes where a step has kinks.
type (
	PairScanOf[T vec.Float] = pair.Scan[T]
	PairKinks[T vec.Float]  = pair.Kinks[T]
)

// ScanPairsOf is ScanPairs with scores and variables in the type of the rows.
func ScanPairsOf[T vec.Float](row, q, f, x []T, p *PairScanOf[T]) (best int, gain, d T) {
	switch p := any(p).(type) {
	case *pair.Scan[float32]:
		best, gain, d := pair.ScanF32(p32(row), p32(q), p32(f), p32(x), len(x), p)
		return best, T(gain), T(d)
	case *pair.Scan[float64]:
		best, gain, d := pair.ScanF64(p64(row), p64(q), p64(f), p64(x), len(x), p)
		return best, T(gain), T(d)
	}
	panic("unreachable")
}

// ScanKinks is ScanPairsOf where a step has kinks, as pair.ScanKinksF32 in asm says.
func ScanKinks[T vec.Float](row, q, f, x []T, p *PairKinks[T]) (best int, gain, d T) {
	switch p := any(p).(type) {
	case *pair.Kinks[float32]:
		best, gain, d := pair.ScanKinksF32(p32(row), p32(q), p32(f), p32(x), len(x), p)
		return best, T(gain), T(d)
	case *pair.Kinks[float64]:
		best, gain, d := pair.ScanKinksF64(p64(row), p64(q), p64(f), p64(x), len(x), p)
		return best, T(gain), T(d)
	}
	panic("unreachable")
}

// MovePairOf is MovePair with scores in the type of the rows.
func MovePairOf[T vec.Float](f, rk, rl []T, d T) {
	if Is32[T]() {
		pair.MoveF32(p32(f), p32(rk), p32(rl), len(f), float32(d))
	} else {
		pair.MoveF64(p64(f), p64(rk), p64(rl), len(f), float64(d))
	}
}
