package main

/*
#cgo CXXFLAGS: -O3 -march=native
#cgo LDFLAGS: -lfaiss -lopenblas -lgomp
#include <stdint.h>
void *flat_new(int d, int64_t n, const float *x, int product);
void flat_search(const void *index, int64_t m, const float *q, int k, float *dist, int64_t *idx);
void flat_free(void *index);
void *graph_new(int d, int64_t n, const float *x, int links, int construction);
void graph_search(void *graph, int64_t m, int d, const float *q, int k, int effort, int64_t *idx);
void graph_free(void *graph);
*/
import "C"

import (
	"errors"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// flat is FAISS's IndexFlat: all rows, by products of matrices on OpenBLAS.
type flat struct{ index unsafe.Pointer }

func newFlat(x vec.Matrix[float32], metric vec.Metric) (flat, error) {
	product := 0
	if metric == vec.InnerProduct {
		product = 1
	}
	index := C.flat_new(C.int(x.Cols), C.int64_t(x.Rows), floats(x.Data), C.int(product))
	if index == nil {
		return flat{}, errors.New("FAISS makes no index")
	}
	return flat{index}, nil
}

func (f flat) search(idx []int64, dist []float32, q vec.Matrix[float32], k int) {
	C.flat_search(f.index, C.int64_t(q.Rows), floats(q.Data), C.int(k), floats(dist), numbers(idx))
}

func (f flat) free() { C.flat_free(f.index) }

// graph is hnswlib's graph of near rows.
type graph struct{ index unsafe.Pointer }

// What hnswlib's own documentation begins with.
const (
	links        = 16
	construction = 200
)

func newGraph(x vec.Matrix[float32]) (graph, error) {
	index := C.graph_new(C.int(x.Cols), C.int64_t(x.Rows), floats(x.Data), links, construction)
	if index == nil {
		return graph{}, errors.New("hnswlib makes no index")
	}
	return graph{index}, nil
}

func (g graph) search(idx []int64, q vec.Matrix[float32], k, effort int) {
	C.graph_search(g.index, C.int64_t(q.Rows), C.int(q.Cols), floats(q.Data), C.int(k), C.int(effort), numbers(idx))
}

func (g graph) free() { C.graph_free(g.index) }

func floats(x []float32) *C.float  { return (*C.float)(unsafe.SliceData(x)) }
func numbers(x []int64) *C.int64_t { return (*C.int64_t)(unsafe.SliceData(x)) }
