package topk

import "github.com/dualgap/dualgap/solvers/topk"

// printed is Table 1, Caltech 101 Silhouettes: top-1, 2, 3, 4, 5 and 10 accuracies in percent. With k = 1 the losses
// are the same.
var printed = []struct {
	loss     topk.Loss
	k        int
	accuracy [6]float64
}{
	{topk.TopKHinge, 1, [6]float64{62.81, 74.60, 77.76, 80.02, 81.97, 86.91}},
	{topk.TopKHinge, 2, [6]float64{63.11, 76.16, 79.02, 81.01, 82.75, 87.65}},
	{topk.TopKHinge, 3, [6]float64{63.37, 76.72, 79.67, 81.49, 83.57, 88.25}},
	{topk.TopKHinge, 4, [6]float64{63.20, 76.64, 79.76, 82.36, 84.05, 88.64}},
	{topk.TopKHinge, 5, [6]float64{63.29, 76.81, 80.02, 82.75, 84.31, 88.69}},
	{topk.TopKHinge, 10, [6]float64{62.98, 77.33, 80.49, 82.66, 84.57, 89.55}},
	{topk.TopKHinge, 20, [6]float64{59.21, 75.64, 80.88, 83.49, 85.39, 90.33}},
	{topk.TopKUsunier, 1, [6]float64{62.81, 74.60, 77.76, 80.02, 81.97, 86.91}},
	{topk.TopKUsunier, 2, [6]float64{63.55, 76.25, 79.28, 81.14, 82.62, 87.91}},
	{topk.TopKUsunier, 3, [6]float64{63.94, 76.64, 79.71, 81.36, 83.44, 87.99}},
	{topk.TopKUsunier, 4, [6]float64{63.94, 76.85, 80.15, 82.01, 83.53, 88.73}},
	{topk.TopKUsunier, 5, [6]float64{63.59, 77.03, 80.36, 82.57, 84.18, 89.03}},
	{topk.TopKUsunier, 10, [6]float64{64.02, 77.11, 80.49, 83.01, 84.87, 89.42}},
	{topk.TopKUsunier, 20, [6]float64{63.37, 77.24, 81.06, 83.31, 85.18, 90.03}},
}
