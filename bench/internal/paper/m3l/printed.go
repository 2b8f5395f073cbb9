package m3l

// The numbers that the paper prints.

// printedTimes is Table 1: seconds of training with a linear kernel, by LibLinear, LM3L, LibSVM and KM3L, and with a
// Gaussian kernel, by LibSVM and KM3L.
var printedTimes = map[string]map[int][6]float64{
	"RCV1": {
		2000:  {7, 4, 54, 6, 139, 11},
		10000: {23, 27, 743, 110, 1589, 177},
		15000: {33, 43, 1407, 230, 2893, 369},
		23149: {45, 57, 2839, 513, 5600, 817},
	},
	"SIAM": {
		2000:  {1, 1, 27, 5, 43, 7},
		10000: {2, 2, 527, 126, 775, 185},
		15000: {3, 3, 1118, 288, 1610, 422},
		21519: {5, 5, 2191, 598, 3095, 878},
	},
}

// printedProgress is Table 2: seconds, dual, and training and test error in percent, of RCV1 with 781,265 examples.
var printedProgress = [][4]float64{
	{60, 1197842, .86, .98},
	{183, 1473565, .74, .84},
	{300, 1492664, .72, .83},
	{338, 1494012, .72, .82},
	{345, 1494050, .72, .82},
	{353, 1494057, .72, .82},
	{1080, 1494057, .72, .82},
}

// printedTable3 is Table 3: Hamming losses in percent, of the methods in our order.
var printedTable3 = map[string][]float64{
	"SIAM":  {8.41, 11.15, 14.01, 11.19, 9.41, 12.51},
	"RCV1":  {3.45, 4.25, 3.71, 4.26, 5.67, 4.47},
	"Yeast": {24.99, 26.93, 32.32, 26.70, 28.02, 28.82},
}
