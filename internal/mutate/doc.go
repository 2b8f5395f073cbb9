// Command mutate measures tests: it changes one token of the library at a time and asks whether a test fails.
//
//	go run ./internal/mutate -n 200 -seed 1 ./solvers
//
// A mutant is a file with one token changed: an operator, a comparison, a whole number, a truth value, break or
// continue; but not how large the sign of an infinity is, nor a capacity or a buffer's size, nor a value beside an
// error. Of all that the directories hold, a shuffle by the seed chooses; -only asks for those that it printed before,
// by a part of their lines. Mutants that do not compile are left out, and others are drawn.
//
// All mutants inside functions are compiled together, by go build -overlay, so no file changes: a function begins with
// a switch for each of its mutants, which an environment variable chooses, to a copy of itself with the token changed.
// Tests of a package are then compiled once and run for each mutant. Some tests may fail because of the switches: these
// see the mutant alone, by an overlay of its own, as all tests do where the token is outside functions.
//
// The package's own tests run first, then the ones in folders around it, then its importers' tests, the nearest first,
// until one fails or -most packages have had their say; -first names one whose tests come before. A test that uses
// more CPU time than -cpu allows counts as failed: the mutant may loop for ever. A package whose tests fail without a
// mutant, too, is an error.
//
// A survivor that computes the same is excused by a line of excuses.txt, with the reason. A line FILE: const NAME
// excuses the numbers in the declaration of a constant and the mutants of <, <=, > and >= beside it in the file: sizes
// of chunks, thresholds between two ways of one answer.
package main
