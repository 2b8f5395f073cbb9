package cases

// shape has the sizes of operands: elements of vectors, rows and columns of matrices.
type shape struct {
	x, y, z, idx int
	a, b, c      [2]int
	many         bool // y may hold several vectors, of which each call takes the next
}

func one(c Case) shape   { return shape{x: c.N} }
func two(c Case) shape   { return shape{x: c.N, y: c.N} }
func three(c Case) shape { return shape{x: c.N, y: c.N, z: c.N} }

// A and a vector on either side: x the one of its rows, or of its columns.
func rowsFirst(c Case) shape    { return shape{x: c.M, y: c.N, a: [2]int{c.M, c.N}} }
func columnsFirst(c Case) shape { return shape{x: c.N, y: c.M, a: [2]int{c.M, c.N}} }

func squareAlone(c Case) shape { return shape{a: [2]int{c.M, c.N}} }

func sorted(c Case) shape    { return shape{x: c.N, y: c.N, many: true} }
func argSorted(c Case) shape { return shape{y: c.N, idx: c.N, many: true} }
func selected(c Case) shape  { return shape{x: c.M, y: c.N, idx: c.M, many: true} }

func filtered(c Case) shape { return shape{x: c.N, y: c.N, idx: c.N} }

func sparseVector(c Case) shape { return shape{x: c.N, idx: c.N, y: reach} }
func sparseMatrix(c Case) shape { return shape{x: c.N, idx: c.N, y: c.M, a: [2]int{reach, c.M}} }
