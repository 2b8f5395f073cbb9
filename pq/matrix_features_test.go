package pq_test

import (
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
)

var _ design.Matrix[float32] = (*pq.Matrix)(nil)
