package main

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// CodeFlags say which codes an index has.
type CodeFlags struct {
	Codes string `group:"codes" enum:"pca,hadamard,pq,opq" default:"pca" help:"What is kept of a vector: ${enum}. pca: the first principal axes; hadamard: all numbers after a random rotation, for data without structure; pq: a product quantizer; opq: one after a rotation, which finds most by codes alone and takes longest to train."`
	Bytes int    `group:"codes" placeholder:"N" help:"Bytes of a code. By default an eighth of the numbers of a vector, 32 at least where that is not more than half; with hadamard half of them."`
	Bits  int    `group:"codes" placeholder:"N" help:"Bits of each number: 1, 2, 4 or 8, of pq and opq 4 or 8. By default 4, of pq and opq 8."`
	Dims  int    `group:"codes" placeholder:"N" help:"pca: number of axes, in place of --bytes."`
}

// coding is what the flags say of vectors of d numbers.
type coding struct {
	scalar pq.ScalarConfig // without Dims: none
	parts  pq.Config
}

// of returns it, or an error of numbers that do not go together.
func (c *CodeFlags) of(d int) (coding, error) {
	switch c.Codes {
	case "pca":
		return c.pca(d)
	case "hadamard":
		return c.hadamard(d)
	}
	bits, bytes := c.Bits, c.Bytes
	if bits == 0 {
		bits = 8
	}
	if bytes == 0 {
		bytes = min(fewBytes(d), d*bits/8)
	}
	m := bytes * 8 / bits
	if m == d+1 && bits == 4 { // half a byte too many
		m = d
	}
	if m > d {
		return coding{}, usage("--bytes %d of %s with %d bits are %d parts of vectors of %d numbers, want %d bytes at "+
			"most", bytes, c.Codes, bits, m, d, (d*bits+7)/8)
	}
	parts := pq.Config{M: max(m, 1), NBits: bits, Uneven: true}
	if c.Codes == "opq" {
		parts.Rotations = 6
	}
	return coding{parts: parts}, nil
}

// fewBytes is the default of --bytes.
func fewBytes(d int) int { return min(max(32, (d+7)/8), (d+1)/2) }

func (c *CodeFlags) pca(d int) (coding, error) {
	bits, bytes, dims := c.Bits, c.Bytes, c.Dims
	if bytes == 0 {
		bytes = fewBytes(d)
	}
	if bits == 0 {
		bits = 4
		if 2*bytes > d+1 { // 4 bits of all are less
			bits = 8
		}
	}
	if dims == 0 {
		if dims = bytes * 8 / bits; c.Bytes == 0 || bits == 4 && dims == d+1 {
			dims = min(dims, d)
		}
	}
	if dims > d {
		return coding{}, usage("%d axes of %d bits, want %d at most, the numbers of a vector, or %d bytes", dims,
			bits, d, (d*bits+7)/8)
	}
	return coding{scalar: pq.ScalarConfig{Turn: pq.PCA, Dims: dims, Bits: bits}}, nil
}

func (c *CodeFlags) hadamard(d int) (coding, error) {
	bits := c.Bits
	for try := 8; try >= 1 && bits == 0 && c.Bytes > 0; try /= 2 {
		if (d*try+7)/8 <= c.Bytes {
			bits = try
		}
	}
	switch {
	case bits == 0 && c.Bytes > 0:
		return coding{}, usage("--bytes %d of hadamard, which keeps all %d numbers: want %d at least, a bit for each",
			c.Bytes, d, (d+7)/8)
	case bits == 0:
		bits = 4
	}
	return coding{scalar: pq.ScalarConfig{Turn: pq.Hadamard, Dims: d, Bits: bits}}, nil
}

// validate is called before anything is read.
func (c *CodeFlags) validate(g given) error {
	product := c.Codes == "pq" || c.Codes == "opq"
	switch {
	case c.Bytes < 0 || c.Dims < 0:
		return usage("--bytes %d, --dims %d: want numbers above 0", c.Bytes, c.Dims)
	case product && c.Bits != 0 && c.Bits != 4 && c.Bits != 8:
		return usage("--bits %d with --codes %s: want 4 or 8", c.Bits, c.Codes)
	case c.Bits != 0 && c.Bits != 1 && c.Bits != 2 && c.Bits != 4 && c.Bits != 8:
		return usage("--bits %d: want 1, 2, 4 or 8", c.Bits)
	case c.Codes == "hadamard" && c.Bits > 0 && c.Bytes > 0:
		return usage("--bits %d and --bytes %d: hadamard keeps all numbers, so that each says the other; leave out one",
			c.Bits, c.Bytes)
	}
	return first(
		g.above0("bytes", "bits", "dims"),
		g.need(c.Codes == "pca", "--codes pca: others keep all numbers", "dims"),
		g.apart(rule{"bytes", "dims", "want one of them"}),
	)
}

// train makes the codec.
func (c coding) train(ctx context.Context, x vec.Matrix[float32], seed uint64, workers int, b *bar) (pq.Codec, error) {
	b.say("training codes", 0)
	if c.scalar.Dims > 0 {
		c.scalar.Seed, c.scalar.Workers = seed, workers
		s, err := pq.TrainScalar(ctx, x, c.scalar)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	c.parts.Seed, c.parts.Workers = seed, workers
	c.parts.Progress = func(p pq.Progress) {
		part := float64(p.Done) / float64(max(1, p.Total))
		if n := c.parts.Rotations; n > 0 && p.Rotation < n {
			part = float64(p.Rotation) / float64(n)
		}
		b.say("training codes", part)
	}
	q, err := pq.Train(ctx, x, c.parts)
	if err != nil {
		return nil, err
	}
	return q, nil
}

// describeCodec says what codes are.
func describeCodec(codec pq.Codec) string {
	switch q := codec.(type) {
	case *pq.Scalar:
		if q.Turn() == pq.Hadamard {
			return fmt.Sprintf("Hadamard, %d numbers of %d bits", q.Dims(), q.Bits())
		}
		return fmt.Sprintf("PCA, %d of %d axes, %d bits each", q.Dims(), q.D(), q.Bits())
	case *pq.Quantizer:
		turned := ""
		if q.Rotation().Rows > 0 {
			turned = " after a rotation"
		}
		return fmt.Sprintf("product quantizer, %d parts of %d bits%s", q.M(), q.NBits(), turned)
	}
	return "unknown"
}
