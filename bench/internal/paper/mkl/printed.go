package mkl

// The numbers that the paper prints, of Caltech-101 with 39 kernels and 30 training images a class: the accuracy of the
// best kernel alone and of the worst, and the minutes of LP-beta with 15 and with 30 images a class.
const (
	printedBest, printedWorst          = 69.4, 13.5
	printedMinutes15, printedMinutes30 = 24, 121
)
