package cases

import "sync"

// costs say what a call of a kernel costs.
type costs struct {
	moved  count // elements loaded and stored, each operand counted once when it is read and once when it is written
	held   count // elements in memory; nil: as many as are moved
	places count // positions loaded; nil: none
	flops  count // additions and multiplications; nil where they say nothing of the work
}

// count is a number that follows from the size.
type count func(c Case) int

func n1(c Case) int { return c.N }
func n2(c Case) int { return 2 * c.N }
func n3(c Case) int { return 3 * c.N }
func n4(c Case) int { return 4 * c.N }

func mn2(c Case) int      { return 2 * c.M * c.N }
func mnk2(c Case) int     { return 2 * c.M * c.N * c.K }
func triangle(c Case) int { return c.M * (c.M + 1) * c.K }

func square(c Case) int   { return c.M * c.N }
func matrix(c Case) int   { return c.M*c.N + c.M + c.N }         // A and a vector on either side
func update(c Case) int   { return 2*c.M*c.N + c.M + c.N }       // the same, and A is written
func matrices(c Case) int { return c.M*c.N + c.N*c.K + c.M*c.K } // of C = A B
func rows(c Case) int     { return c.N * (c.M + 1) }             // a sparse vector and the rows it leads to

// costsOf has the costs by the name of the kernel.
var costsOf = sync.OnceValue(func() map[string]costs {
	all := map[string]costs{}
	for _, k := range Table[float32]() {
		all[k.Name] = k.costs
	}
	return all
})

func (f count) of(c Case) int {
	if f == nil {
		return 0
	}
	return f(c)
}

// Bytes returns how many bytes a call loads and stores, each operand counted once when it is read and once when it is
// written.
func (c Case) Bytes(element int) int {
	k := costsOf()[c.Name]
	return k.moved.of(c)*element + 4*k.places.of(c)
}

// Footprint returns how many bytes of memory a call touches.
func (c Case) Footprint(element int) int {
	if held := costsOf()[c.Name].held; held != nil {
		return held(c) * element
	}
	return c.Bytes(element)
}

// Flops returns how many additions and multiplications a call makes, 0 where that says nothing of its work.
func (c Case) Flops() int { return costsOf()[c.Name].flops.of(c) }

// Intensity returns the operations for each byte.
func (c Case) Intensity(element int) float64 { return float64(c.Flops()) / float64(c.Bytes(element)) }
