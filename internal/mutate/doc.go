// Command mutate measures tests: it changes one token of the library at a time and asks whether a test fails.
//
//	go run ./internal/mutate -n 200 -seed 1 ./solvers
//
// A mutant is a file with one token changed: an operator, a comparison, a whole number, a truth value, break or
// continue. Of all that the directories hold, a shuffle by the seed chooses. Each mutant is compiled by go test
// -overlay, so no file changes. The package's own tests run first, then its importers' tests, the nearest first, until
// one fails or -most packages have had their say. A test that uses more CPU time than -cpu allows counts as failed: the
// mutant may loop for ever.
//
// Mutants that do not compile are left out, and others are drawn. A survivor that computes the same is excused by a
// line of excuses.txt, with the reason.
package main
