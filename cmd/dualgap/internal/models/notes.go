package models

// What the command notes of a model, beside the notes of the solvers (solver, settings, outcome, threshold) and of package
// dataset (scaling). A model without them is one that the library has written.
const (
	NoteTask     = "task"     // one of the tasks
	NotePositive = "positive" // names of the classes that a model right at the top ranks first, separated by commas
	NoteNegative = "negative" // name of the class of the others, where there is one
	NoteKernels  = "kernels"  // of many kernels: a line for each, its name
	NoteShares   = "shares"   // and how much each counts, as decimals that sum to 1, with blanks between them
)

// A task is what the scores of a model stand for.
const (
	Classes = "classes" // the class of an example is the output with the largest score
	Sets    = "sets"    // an example has the labels whose scores are above 0
	Top     = "top"     // the one output ranks examples, those at the threshold and above are positive
)
