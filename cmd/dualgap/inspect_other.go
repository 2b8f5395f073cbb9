package main

import (
	"fmt"
	"math"
	"time"

	"github.com/dualgap/dualgap/internal/container"
)

// inspectOther tells of files of the library that are no models. docs/files.md has the layout of codebooks.
func inspectOther(w *facts, path string) error {
	return contained(path, func(c *container.Reader) {
		switch c.Kind() {
		case "state":
			inspectState(w, c)
		case "codebook":
			inspectCodebook(w, "codebook of a product quantizer", c.Ints("size", 3))
		case "pq codes":
			inspectCodebook(w, "codes of a product quantizer", c.Ints("size", 4))
		case "pqmatrix":
			size := c.Ints("size", 3)
			skipCodebook(c)
			inspectCodebook(w, "examples compressed by a product quantizer", append(size, c.Ints("rows", 1)...))
		default:
			row(w, "file", "dualgap, of the unknown kind %q, version %d", c.Kind(), c.Version())
		}
	})
}

func skipCodebook(c *container.Reader) {
	container.ReadFloats[float32](c, "cent", container.Any)
	container.ReadFloats[float32](c, "rot", container.Any)
}

// inspectCodebook tells of d, M, bits and, where there are codes, their number. A reader that failed has no sizes.
func inspectCodebook(w *facts, what string, size []int) {
	if len(size) < 3 {
		return
	}
	row(w, "file", "%s", what)
	if len(size) == 4 {
		row(w, "vectors", "%d", size[3])
	}
	row(w, "dimension", "%d", size[0])
	row(w, "subspaces", "%d", size[1])
	row(w, "bits a subspace", "%d", size[2])
	row(w, "bytes a vector", "%d", (size[1]*size[2]+7)/8)
}

// inspectState tells of what training a state is, and how far it was: the sections that all methods begin theirs with.
func inspectState(w *facts, c *container.Reader) {
	what, _ := c.Strings("what", 2), c.Bytes("data", container.Any)
	epochs, values := c.Ints("clck", 3), container.ReadFloats[float64](c, "clck", 5)
	if c.Err() != nil {
		return
	}
	row(w, "file", "state of a training that has not ended")
	row(w, "solver", "%s", what[0])
	row(w, "settings", "%s", what[1])
	row(w, "epochs", "%d", epochs[0])
	row(w, "time", "%v", time.Duration(values[4]*float64(time.Second)).Round(time.Millisecond))
	if best := values[3]; math.IsInf(best, 0) {
		row(w, "best gap", "none certified yet")
	} else {
		row(w, "best gap", "%s", fmt.Sprintf("%.2g relative, in epoch %d, with the dual value %v", best, epochs[2],
			values[2]))
	}
}
