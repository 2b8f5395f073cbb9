package topk

import "github.com/dualgap/dualgap/solvers/topk"

// printedBaselines are the rows of Table 1, Caltech 101 Silhouettes, that learn each class by itself: columns as below.
var printedBaselines = []method{
	{apart: separate, accuracy: []float64{61.81, 73.13, 76.25, 77.76, 78.89, 83.57}},
	{apart: toppush, accuracy: []float64{63.11, 75.16, 78.46, 80.19, 81.97, 86.95}},
}

// printed is Table 1, Caltech 101 Silhouettes: top-1, 2, 3, 4, 5 and 10 accuracies in percent. With k = 1 the losses
// are the same.
var printed = []method{
	{loss: topk.TopKHinge, k: 1, accuracy: []float64{62.81, 74.60, 77.76, 80.02, 81.97, 86.91}},
	{loss: topk.TopKHinge, k: 2, accuracy: []float64{63.11, 76.16, 79.02, 81.01, 82.75, 87.65}},
	{loss: topk.TopKHinge, k: 3, accuracy: []float64{63.37, 76.72, 79.67, 81.49, 83.57, 88.25}},
	{loss: topk.TopKHinge, k: 4, accuracy: []float64{63.20, 76.64, 79.76, 82.36, 84.05, 88.64}},
	{loss: topk.TopKHinge, k: 5, accuracy: []float64{63.29, 76.81, 80.02, 82.75, 84.31, 88.69}},
	{loss: topk.TopKHinge, k: 10, accuracy: []float64{62.98, 77.33, 80.49, 82.66, 84.57, 89.55}},
	{loss: topk.TopKHinge, k: 20, accuracy: []float64{59.21, 75.64, 80.88, 83.49, 85.39, 90.33}},
	{loss: topk.TopKUsunier, k: 1, accuracy: []float64{62.81, 74.60, 77.76, 80.02, 81.97, 86.91}},
	{loss: topk.TopKUsunier, k: 2, accuracy: []float64{63.55, 76.25, 79.28, 81.14, 82.62, 87.91}},
	{loss: topk.TopKUsunier, k: 3, accuracy: []float64{63.94, 76.64, 79.71, 81.36, 83.44, 87.99}},
	{loss: topk.TopKUsunier, k: 4, accuracy: []float64{63.94, 76.85, 80.15, 82.01, 83.53, 88.73}},
	{loss: topk.TopKUsunier, k: 5, accuracy: []float64{63.59, 77.03, 80.36, 82.57, 84.18, 89.03}},
	{loss: topk.TopKUsunier, k: 10, accuracy: []float64{64.02, 77.11, 80.49, 83.01, 84.87, 89.42}},
	{loss: topk.TopKUsunier, k: 20, accuracy: []float64{63.37, 77.24, 81.06, 83.31, 85.18, 90.03}},
}
