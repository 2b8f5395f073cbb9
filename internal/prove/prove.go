// Package prove is what the tests of every kernel family share: memory with poison around it, data on which all orders
// of summation agree, an exact sum with the error that a kernel may make, and the loop over the tiers.
package prove

import (
	"math"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
)

// Float is the element of the kernels proved here.
type Float interface{ float32 | float64 }

// IsF32 reports whether T is float32.
func IsF32[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// Pick returns the variant for T of something that exists for both types, as type F. It panics when that is not its
// type.
func Pick[T Float, F any](f32, f64 any) F {
	if IsF32[T]() {
		return f32.(F)
	}
	return f64.(F)
}

// Tiers calls f with each tier that can run in use, best first, and restores the tier that was in use before. The last
// tier is the pure-Go twin of each kernel. Each tier runs its own kernels, also where the CPU would rather use a lower
// tier's (cpu.SplitStores).
func Tiers(f func(tier cpu.Tier)) {
	defer func(old bool) { cpu.SplitStores = old }(cpu.SplitStores)
	cpu.SplitStores = false
	for _, tier := range cpu.Tiers() {
		func() {
			defer cpu.Set(cpu.Set(tier))
			f(tier)
		}()
	}
}

// Forms is [Tiers] for kernels that have forms for extensions of a tier: it calls f once more with each tier, all
// extensions switched off, and names the form.
func Forms(f func(form string)) {
	Tiers(func(tier cpu.Tier) { f(tier.String()) })
	var had []bool
	for _, e := range cpu.Extensions() {
		had = append(had, *e)
		*e = false
	}
	defer func() {
		for i, e := range cpu.Extensions() {
			*e = had[i]
		}
	}()
	Tiers(func(tier cpu.Tier) {
		if tier != cpu.Generic {
			f(tier.String() + " alone")
		}
	})
}

// Both runs a test that is generic over the element for float32 and for float64.
func Both(t *testing.T, f32, f64 func(t *testing.T)) {
	t.Run("f32", f32)
	t.Run("f64", f64)
}

// Bits returns the representation of v.
func Bits[T Float](v T) uint64 {
	if IsF32[T]() {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(float64(v))
}

// FromBits returns the float that the low bits represent.
func FromBits[T Float](b uint64) T {
	if IsF32[T]() {
		return T(math.Float32frombits(uint32(b)))
	}
	return T(math.Float64frombits(b))
}

// Same reports whether a and b have the same bits or are both NaN, whose payload nobody promises.
func Same[T Float](a, b T) bool { return Bits(a) == Bits(b) || a != a && b != b }

// Max and Tiny are the largest finite number and the smallest denormal; half an ulp of 1 is Unit.

func Max[T Float]() T  { return Pick[T, T](float32(math.MaxFloat32), math.MaxFloat64) }
func Tiny[T Float]() T { return FromBits[T](1) }
func Unit[T Float]() float64 {
	if IsF32[T]() {
		return 1.0 / (1 << 24)
	}
	return 1.0 / (1 << 53)
}
