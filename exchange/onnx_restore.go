package exchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// restored are the support vectors as they were before WriteONNX, by the metadata.
func (p *parser) restored(k kernel.Kernel, all []block, rho []float32, names []string) (*kernel.Expansion[float32],
	error) {
	own, err := parseKernel(p.meta[keyKernel])
	if err != nil {
		return nil, err
	}
	inner, constant := apart(own)
	name, params, err := kernelAttributes(inner)
	if err != nil {
		return nil, err
	}
	if other, same, _ := kernelAttributes(k); other != name || !slices.Equal(same, params) {
		return nil, fmt.Errorf("the kernel %v, and %q in the metadata", k, p.meta[keyKernel])
	}
	parts := kernel.Parts[float32]{Kernel: own, Features: p.d, Names: names}
	if parts.Examples, err = p.meta.int(keyExamples); err != nil {
		return nil, err
	}
	if parts.Support, err = p.meta.ints(keySupport); err != nil {
		return nil, err
	}
	b, err := p.unite(&parts, all)
	if err != nil {
		return nil, err
	}
	if _, told := p.meta[keyOffsets]; told {
		bias, err := p.meta.numbers(keyOffsets)
		if err != nil || len(bias) != len(all) {
			return nil, fmt.Errorf("%q in the metadata is %q, want %d numbers", keyOffsets, p.meta[keyOffsets],
				len(all))
		}
		parts.Bias = make([]float32, len(bias))
		if err := narrow(parts.Bias, bias, "the offset of output"); err != nil {
			return nil, err
		}
	}
	offsets := b.offsets(constant, parts.Bias)
	want, err := make([]float32, len(all)), error(nil)
	if len(p.models) == 1 && p.models[0].Op == "SVMClassifier" {
		want, err = differences(offsets)
	} else {
		err = narrow(want, offsets, "the offset of output")
	}
	if err != nil {
		return nil, err
	}
	if !slices.Equal(want, rho) {
		return nil, fmt.Errorf("rho %v, and %v by the kernel in the metadata", rho, want)
	}
	if p.meta[keyForm] == "sparse" {
		sparse(&parts)
	}
	return kernel.FromParts(parts)
}

// unite fills the support vectors and coefficients from the blocks, which may have some of them twice, alike.
func (p *parser) unite(parts *kernel.Parts[float32], all []block) (b blocks, err error) {
	texts := strings.Split(p.meta[keyBlocks], ";")
	if len(texts) != len(all) {
		return b, fmt.Errorf("support vectors of %d outputs, and %d in the metadata", len(all), len(texts))
	}
	s, total := len(parts.Support), 0
	for _, block := range all {
		total += len(block.coefficients)
	}
	if s > total {
		return b, fmt.Errorf("%d support vectors, and %d in the metadata", total, s)
	}
	x := vec.NewMatrix[float32](s, p.d)
	b = blocks{make([][]int, len(all)), vec.NewMatrix[float32](s, len(all))}
	seen := make([]bool, s)
	for c, text := range texts {
		if b.of[c], err = parseInts(keyBlocks, text); err != nil {
			return b, err
		}
		if len(b.of[c]) != len(all[c].coefficients) {
			return b, fmt.Errorf("%d support vectors of output %d, and %d in the metadata", len(all[c].coefficients), c,
				len(b.of[c]))
		}
		for i, q := range b.of[c] {
			row := all[c].vectors[i*p.d : (i+1)*p.d]
			if q >= s || i > 0 && q <= b.of[c][i-1] || seen[q] && !slices.Equal(x.Row(q), row) {
				return b, fmt.Errorf("vector %d of output %d is not the support vector %d of %d in the metadata", i, c,
					q, s)
			}
			seen[q] = true
			copy(x.Row(q), row)
			b.a.Row(q)[c] = all[c].coefficients[i]
		}
	}
	if q := slices.Index(seen, false); q >= 0 {
		return b, fmt.Errorf("support vector %d in the metadata belongs to no output", q)
	}
	parts.Dense, parts.Coefficients = x, b.a
	return b, nil
}

// sparse makes the support vectors sparse rows.
func sparse(p *kernel.Parts[float32]) {
	p.Ptr = []int{0}
	for q := range p.Dense.Rows {
		for j, v := range p.Dense.Row(q) {
			if v != 0 {
				p.Columns, p.Values = append(p.Columns, int32(j)), append(p.Values, v)
			}
		}
		p.Ptr = append(p.Ptr, len(p.Values))
	}
	p.Dense = vec.Matrix[float32]{}
}
