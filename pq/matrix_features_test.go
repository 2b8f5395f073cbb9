package pq_test

import (
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
)

var _ solvers.Features[float32] = (*pq.Matrix)(nil)
