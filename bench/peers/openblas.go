package main

/*
// -fno-plt spares the rival a jump in every call.

#cgo CFLAGS: -fno-plt
#cgo LDFLAGS: -lopenblas
#include "openblas.h"
*/
import "C"
import "github.com/dualgap/dualgap/bench/internal/cases"

// openblasInfo returns how OpenBLAS was built and whose kernels it chose, after holding it to one thread as ours are.
func openblasInfo() (config, core string) {
	C.openblas_set_num_threads(1)
	return C.GoString(C.openblas_get_config()), C.GoString(C.openblas_get_corename())
}

// OpenBLAS has all products of the table.
func init() {
	for _, k := range cases.Table[float64]() {
		if k.Product != nil {
			openblas32[k.Name], openblas64[k.Name] = openblasProduct32(*k.Product), openblasProduct64(*k.Product)
		}
	}
}
