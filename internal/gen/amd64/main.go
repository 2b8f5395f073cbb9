// Command amd64 writes the AVX2 and AVX-512 kernels: for each kernel NAME the assembly asm/FAMILY/NAME_amd64.s and the Go
// declarations asm/FAMILY/NAME_amd64.go. Run it by go generate.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// root leads from internal/gen, where go generate runs this, to the module.
const root = "../.."

// source is one kernel in every element type and tier: it becomes one pair of files.
type source struct {
	family, name string
	emit         func(*kernel) // adds one TEXT: this kernel for one element type and tier
	entry        string        // exported name without the type suffix
	sig          string        // its signature, T for the element type
	storeBound   bool          // its stores limit it
	elems        []elem        // instead of float32 and float64
	vbmi         bool          // its widest form needs VBMI beside AVX-512; where that lacks, the AVX2 form runs
}

var sources = []source{dot, sqdist, sqnorm, sum, abssum, scal, axpy, ger, gemv, gemvt, rots,
	compress, sumabove, maximum, minimum, argmax, argmin,
	gemm, packRows, packColumns,
	network, partition, pivot, convert, pack, zip, unpack, unzip,
	exp, expScaled, expSum,
	projMaxima, projAbove, projClip,
	pack, assign, tableL2, tableIP, scan, scan8, scan4, below}
