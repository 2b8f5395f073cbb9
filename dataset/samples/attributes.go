package samples

import (
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// The attributes of Fashion-MNIST's classes, as its pictures show them: a column for each class in its order, x for
// what most of its pictures have.
var fashionAttributes = []struct{ name, classes string }{
	// T-shirt, trouser, pullover, dress, coat, sandal, shirt, sneaker, bag, ankle boot
	{"covers the torso", "x.xxx.x..."},
	{"covers the legs", ".x.x......"},
	{"has sleeves", "x.x.x.x..."},
	{"has long sleeves", "..x.x.x..."},
	{"opens in front", "....x.x..."},
	{"worn over other clothes", "....x....."},
	{"footwear", ".....x.x.x"},
	{"hides the toes", ".......x.x"},
	{"reaches above the ankle", ".........x"},
	{"carried by hand", "........x."},
}

// FashionAttributes describes the ten classes of [FashionMNIST] by attributes: their names, and a row for each class, 1
// for an attribute that it has and -1 for one that it lacks. No two classes are alike. Attributes say something of
// classes without examples: see m3l.Prior.
func FashionAttributes() (names []string, classes vec.Matrix[float64]) {
	classes = vec.NewMatrix[float64](10, len(fashionAttributes))
	for l, a := range fashionAttributes {
		names = append(names, a.name)
		for c := range classes.Rows {
			classes.Row(c)[l] = 2*float64(strings.Count(a.classes[c:c+1], "x")) - 1
		}
	}
	return names, classes
}
