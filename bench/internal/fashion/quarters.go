package fashion

import "github.com/dualgap/dualgap/vec"

// Side is the number of pixels in a row of an image, and in a column: of Fashion-MNIST and of MNIST.
const Side = 28

// Quarters cuts images into four blocks of 14 by 14 pixels: upper left, upper right, lower left, lower right. x has
// Side² columns.
func Quarters(x vec.Matrix[float32]) (blocks []vec.Matrix[float32]) {
	const half = Side / 2
	for q := range 4 {
		b := vec.NewMatrix[float32](x.Rows, half*half)
		for i := range x.Rows {
			for r := range half {
				at := (q/2*half+r)*Side + q%2*half
				copy(b.Row(i)[half*r:], x.Row(i)[at:at+half])
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}
