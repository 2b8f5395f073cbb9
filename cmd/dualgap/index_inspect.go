package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/pq"
)

// IndexInspect are the arguments and flags of "dualgap index inspect".
type IndexInspect struct {
	Index string `arg:"" help:"File of an index."`

	Verify bool `help:"Read all of the file, and end with an error if any of it is damaged."`
	JSON   bool `group:"output" name:"json" help:"Print it as one object of JSON."`
}

// Run inspects.
func (i *IndexInspect) Run(out *output) error {
	kind, err := "", error(nil)
	if i.Index == "-" {
		return usage("an index from standard input: want the name of a file")
	}
	if kind, err = kindOf(i.Index); err != nil {
		return err
	}
	if kind != indexFile {
		return usage("%s is no index, but of the kind %q: dualgap inspect tells of it", i.Index, kind)
	}
	told := new(facts)
	if err := inspectIndex(told, i.Index, i.Verify); err != nil {
		return err
	}
	if i.JSON {
		return printJSON(out.out, told)
	}
	return told.print(out.out)
}

// inspectIndex tells of an index, and verifies it if asked to.
func inspectIndex(w *facts, path string, verify bool) error {
	version := 0
	if err := contained(path, func(c *container.Reader) { version = c.Version() }); err != nil {
		return err
	}
	ix, err := openIndex(path)
	if err != nil {
		return err
	}
	defer ix.Close()
	if verify {
		if err := ix.Verify(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	s := ix.Stats()
	row(w, "file", "index of vectors")
	row(w, "version", "%d", version)
	row(w, "vectors", "%d", s.Vectors)
	row(w, "dimension", "%d", ix.Codec().D())
	row(w, "metric", "%s", map[pq.Metric]string{
		pq.L2: "squared distance", pq.InnerProduct: "inner product", pq.CosineSimilarity: "cosine"}[ix.Metric()])
	row(w, "codes", "%s", describeCodec(ix.Codec()))
	row(w, "bytes a code", "%d", s.Code)
	kept(w, "bounds", s.Bounds, "no proofs")
	kept(w, "vectors kept", s.Vector, "codes alone")
	rowOf(w, "bytes a vector", s.Code+s.Bounds+s.Vector, "%d", s.Code+s.Bounds+s.Vector)
	if s.Lists > 0 {
		rowOf(w, "lists", s.Lists, "%d, of %.4g vectors on average", s.Lists, float64(s.Vectors)/float64(s.Lists))
	} else {
		rowOf(w, "lists", 0, "none")
	}
	row(w, "holes", "%d", s.Holes)
	return nil
}

// kept tells of what an index may keep, in bytes of each vector.
func kept(w *facts, name string, bytes int, without string) {
	if bytes == 0 {
		rowOf(w, name, 0, "none: %s", without)
		return
	}
	rowOf(w, name, bytes, "%d bytes a vector", bytes)
}
