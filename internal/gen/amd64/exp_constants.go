package main

import (
	"fmt"
	"math"
	"math/bits"
)

func (e *expKernel) constants() {
	if e.k.wide {
		e.table("table", e.Table)
	}
	e.number("log2e", e.Log2E)
	e.number("magic", e.Magic)
	e.number("short", e.Short[0])
	e.number("hi", e.Ln2Hi)
	e.number("lo", e.Ln2Lo)
	e.number("short lo", e.Short[1])
	for i, c := range e.C {
		e.number(coefficient(i), c)
	}
	e.number("half", 0.5) // more than |r|
	e.number("minus half", -0.5)
	if e.k.wide {
		return
	}

	// Adding n to the exponent adds j as well, to the bits below: the table has it subtracted.
	values := make([]float64, e.K)
	for j, v := range e.Table {
		b := e.k.bitsOf(v) - uint64(j)<<e.exponentShift()
		values[j] = e.k.ofBits(b)
	}
	if e.k.f64 { // in pairs, since AVX2 permutes float64 by an index in halves of a vector only
		values = []float64{values[0], values[2], values[0], values[2], values[1], values[3], values[1], values[3]}
	}
	e.table("table", values)
	half := e.exponentBias() / 2
	e.bits("abs", pick[uint64](e.k, math.MaxInt32, math.MaxInt64))
	e.number("limit", math.Floor(float64(e.exponentBias()-1)*math.Ln2))        // 2^n is normal
	e.number("most", float64(e.exponentBias()+2)*math.Ln2)                     // overflows
	e.number("least", -float64(e.exponentBias()+pick(e.k, 24, 53)+1)*math.Ln2) // vanishes
	e.bits("up", uint64(half+1)<<e.exponentBits())
	e.bits("down", uint64(-half-1)<<e.exponentBits())
	e.number("times up", math.Ldexp(1, half+1))
	e.number("times down", math.Ldexp(1, -half-1))
}

func coefficient(i int) string { return fmt.Sprintf("c%d", i) }

// exponentBits is the place of the exponent in a number, exponentBias what is added to it, and exponentShift the
// distance from the lowest bit of x Log2E + Magic to the lowest of the table's index.
func (e *expKernel) exponentBits() uint64 { return pick[uint64](e.k, 23, 52) }
func (e *expKernel) exponentBias() int    { return pick(e.k, 127, 1023) }
func (e *expKernel) exponentShift() uint64 {
	return e.exponentBits() - uint64(bits.TrailingZeros(uint(e.K)))
}

// high names the part of ln 2 that is subtracted first.
func (e *expKernel) high() string {
	if e.scale != "" {
		return "short"
	}
	return "hi"
}

// low names what is left of it.
func (e *expKernel) low() string {
	if e.scale != "" {
		return "short lo"
	}
	return "lo"
}

func tablePart(i int) string { return fmt.Sprintf("table%d", i) }
