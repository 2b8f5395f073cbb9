package main

/*
// -fno-plt spares the rival a jump in every call.

#cgo CFLAGS: -fno-plt
#cgo LDFLAGS: -lopenblas
#include "openblas.h"
*/
import "C"

// openblasInfo returns how OpenBLAS was built and whose kernels it chose, after holding it to one thread as ours are.
func openblasInfo() (config, core string) {
	C.openblas_set_num_threads(1)
	return C.GoString(C.openblas_get_config()), C.GoString(C.openblas_get_corename())
}
