package toprank

// The numbers that the paper prints.

// printedSets is Table 2: examples of the training, validation and test part, and the percentages of positive ones.
var printedSets = map[string][6]float64{
	"Ionosphere":       {176, 64.2, 87, 64.4, 88, 63.6},
	"Spambase":         {2301, 39.4, 1150, 39.4, 1150, 39.4},
	"WhiteWineQuality": {2449, 21.6, 1224, 21.7, 1225, 21.6},
	"RedWineQuality":   {800, 13.5, 400, 13.8, 399, 13.5},
	"Fashion-MNIST":    {50000, 10, 10000, 10, 10000, 10},
}

// printedPrecisions is Table 3: the precision in percent at each of the recalls, of the methods in our order, with the
// linear and with the Gaussian kernel.
var printedPrecisions = [2][][6]float64{
	{
		{79.83, 64.27, 65.55, 61.85, 57.89, 51.83},
		{73.96, 65.41, 64.82, 60.28, 56.94, 50.52},
		{60.63, 61.97, 59.69, 56.89, 54.40, 49.83},
		{63.67, 60.30, 58.74, 57.75, 53.32, 48.42},
		{54.05, 60.91, 63.32, 55.24, 52.55, 48.30},
		{57.02, 61.24, 62.49, 63.11, 59.91, 52.14},
	}, {
		{97.50, 86.06, 81.28, 76.15, 71.13, 60.17},
		{92.50, 87.56, 85.31, 78.47, 70.77, 57.10},
		{89.50, 87.56, 83.15, 79.09, 71.88, 59.27},
		{89.65, 89.11, 86.75, 80.77, 75.44, 65.95},
		{80.77, 81.28, 85.74, 82.92, 74.91, 65.04},
		{81.30, 84.14, 82.58, 83.12, 77.82, 66.50},
	},
}

// printedTimes is Table 4: milliseconds of a repeat loop of TopPush, TopPushK and Pat&Mat.
var printedTimes = map[string][3]float64{
	"Ionosphere":       {.04, .03, .03},
	"Spambase":         {.56, .49, .50},
	"WhiteWineQuality": {.62, .53, .54},
	"RedWineQuality":   {.17, .14, .15},
	"Fashion-MNIST":    {17.16, 15.95, 15.54},
}
