// Command amd64 writes the AVX2 and AVX-512 kernels: for each kernel NAME of the list the assembly
// asm/FAMILY/NAME_amd64.s and the Go declarations asm/FAMILY/NAME_amd64.go. Run it by go generate.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// root leads from internal/gen, where go generate runs this, to the module.
const root = "../.."

// source is one kernel in every element type and tier: it becomes one pair of files, with the kernels beside it.
type source struct {
	family, name string
	emit         func(*kernel) // adds one TEXT: this kernel for one element type and tier
	entry        string        // exported name without the type suffix
	sig          string        // its signature, T for the element type
	storeBound   bool          // its stores limit it
	elems        []elem        // instead of float32 and float64
	forms        []tier        // instead of tiers, best first; where a form's extension lacks the next one runs
	beside       []source      // kernels in the same files, whose constants are the same
}

var sources = []source{dot, sqdist, sqnorm, sum, abssum, scal, axpy, add, mul, sqrt, ger, gerSome, gemv, gemvt, rots,
	cast,
	mixedDot, mixedAxpy, mixedGemv, mixedGemvT,
	sum16, sum8, sum1, sum32i16, sum64u8, scatter8, scatter1, collect16, collect32i16, range16, quantizeI16, quantizeU8,
	compress, sumabove, maximum, minimum, argmax, argmin, clip,
	sparseDot, sparseDotAhead, sparseAxpy, sparseMixedDot, sparseMixedAxpy,
	sparseGemvT, sparseGer, sparseMaxIndex, prefetch,
	gemm, dots, packRows, packColumns, transpose,
	network, partition, pivot, packKeys,
	exp, logarithm, omegaSum, powerRow,
	projMaxima, projAbove, projClip, projSmall, projPrune,
	pqPack, pqAssign, pqTableL2, pqTableIP, pqScan, pqScan8, pqScan4, pqBelow, pqQuantize,
	pqWithin, pqWithinTails,
	pqLevels8, pqLevels4, pqNibbles,
	hingeStep, entropyStep, logistic, boxHinge, boxSquared, groupHinge, coupledHinge, oneHinge, oneLogistic,
	extrapolate, extrapolateRows,
	pairScan, pairMove, pairMoveMixed, pairExtremes,
	pairPartner, hingeLower, hingeMove, hingeSum, hingeTarget,
	sparseTake, sparseMixedTake,
	intsDot, intsSqDist, intsMulVec, intsMixedMulVec, intsHamming, intsJaccard, intsHammingRows, intsTiles,
	intsExceed,
	dotB16, dotH16, sqdistB16, sqdistH16, cosB16, cosH16, rowsB16, rowsH16, mixedRowsB16, mixedRowsH16,
	widenB16, widenH16, narrowB16, narrowH16, tilesB16}

func main() {
	log.SetFlags(0)
	var all sync.WaitGroup
	for _, s := range sources {
		all.Go(func() {
			if err := s.write(); err != nil {
				log.Fatalf("%s/%s: %v", s.family, s.name, err)
			}
		})
	}
	all.Wait()
}

func (s source) write() error {
	c := build.NewContext()
	c.ConstraintExpr("amd64,!purego")
	shared := new(constants)
	s.kernels(c, shared)
	for _, other := range s.beside {
		other.kernels(c, shared)
	}
	f, err := c.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return err
	}
	base := filepath.Join(root, "asm", s.family, s.name+"_amd64")
	cfg := printer.Config{Argv: []string{"go", "run", "./amd64"}, Pkg: s.family}
	if err := write(printer.NewGoAsm(cfg), f, base+".s"); err != nil {
		return err
	}
	return write(printer.NewStubs(cfg), withoutEntries(f), base+".go")
}

// kernels adds the functions of one kernel.
func (s source) kernels(c *build.Context, shared *constants) {
	for _, e := range s.types() {
		s.emitEntry(c, e)
		for _, t := range s.tiers() {
			k := &kernel{Context: c, tier: t, elem: e, constants: shared}
			c.Function(s.tierName(e, t.suffix))
			c.Attributes(build.NOSPLIT)
			c.Pragma("noescape")
			c.Doc(fmt.Sprintf("%s is %s%s for the tier %s.", s.tierName(e, t.suffix), s.entry, e.suffix, t.suffix))
			c.SignatureExpr(e.sig(s.sig))
			s.emit(k)
		}
	}
}

// types returns the element types.
func (s source) types() []elem {
	if s.elems == nil {
		return elems
	}
	return s.elems
}

// tiers returns the forms that the kernel is written in, best first.
func (s source) tiers() []tier {
	if s.forms == nil {
		return tiers
	}
	return s.forms
}

// withoutEntries leaves out what the hand-written NAME.go declares.
func withoutEntries(f *ir.File) *ir.File {
	g := *f
	g.Sections = nil
	for _, s := range f.Sections {
		if fn, ok := s.(*ir.Function); ok && len(fn.Pragmas) == 0 {
			continue
		}
		g.Sections = append(g.Sections, s)
	}
	return &g
}

func write(p printer.Printer, f *ir.File, name string) error {
	text, err := p.Print(f)
	if err != nil {
		return err
	}
	return os.WriteFile(name, encoded(text), 0o644)
}
