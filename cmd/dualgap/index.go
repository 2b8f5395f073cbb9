package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// Index are the commands of search.
type Index struct {
	Build   IndexBuild   `cmd:"" help:"Make an index of vectors."`
	Search  IndexSearch  `cmd:"" help:"Find the vectors of an index that are nearest to others."`
	Inspect IndexInspect `cmd:"" help:"Say what an index holds, and what it takes."`
}

// VectorFlags say how a file of vectors is read.
type VectorFlags struct {
	Format      string      `group:"data" enum:"auto,npy,fvecs,bvecs,ivecs,idx,csv,libsvm" default:"auto" help:"Format of the vectors: ${enum}. auto goes by the name: .npy, .fvecs, .bvecs, .ivecs, .idx or -ubyte, .csv, else libsvm; .gz may follow."`
	LabelColumn string      `group:"data" placeholder:"COLUMN" help:"CSV: a column that is none of the vector's, a number from 1 (from -1 counts from the end) or a name of the header. By default all are."`
	Multiply    float64     `group:"data" default:"1" placeholder:"FACTOR" help:"Not CSV or LIBSVM: multiply all numbers by it, such as .00392157 for bytes to 0..1."`
	Memory      memory.Size `group:"data" placeholder:"SIZE" help:"Most memory to use, such as 8G. By default 90% of what is available. What would take more is an error."`
	MaxRows     int         `group:"data" placeholder:"N" help:"Read the first N vectors only."`
}

// AfterApply is called by kong, once the flags are read.
func (v VectorFlags) AfterApply() error {
	memory.Use(v.Memory)
	return nil
}

func (v *VectorFlags) options() data.Options {
	return data.Options{Format: v.Format, LabelColumn: v.LabelColumn, Unlabeled: v.LabelColumn == "", Header: "auto",
		Multiply: v.Multiply, MaxRows: v.MaxRows}
}

// open reads vectors of d numbers each; 0 stands for whatever the file has. Sparse ones that are shorter end with
// zeros.
func (v *VectorFlags) open(path string, d int) (vec.Matrix[float32], error) {
	known := &data.Known{}
	if data.FormatOf(path, v.Format) == "libsvm" {
		known.Features = d
	}
	e, err := data.Open[float32](path, v.options(), known)
	if err != nil {
		return vec.Matrix[float32]{}, err
	}
	x, err := e.Dense()
	if err != nil {
		return vec.Matrix[float32]{}, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case e.UnseenNonzeros > 0:
		return vec.Matrix[float32]{}, fmt.Errorf("%s: %d numbers behind the %d of the index's vectors, want none", path,
			e.UnseenNonzeros, d)
	case d > 0 && x.Cols != d:
		return vec.Matrix[float32]{}, fmt.Errorf("%s: vectors of %d numbers, want %d, as the index has", path,
			x.Cols, d)
	}
	return x.Matrix, nil
}

// readIndex reads an index into memory.
func readIndex(path string) (*pq.Index, error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	ix, err := pq.ReadIndex(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ix, nil
}

// openIndex opens an index to search in, of which the system reads what searches use.
func openIndex(path string) (*pq.Index, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	ix, err := pq.OpenIndex(path)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "pq: "))
	}
	return ix, nil
}

// metricNames are the names of metrics.
var metricNames = map[string]pq.Metric{"l2": pq.L2, "product": pq.InnerProduct, "cosine": pq.CosineSimilarity}
