// Package asm has no code: it is the folder of the kernels, one package for each family, and of the tests that hold
// every generated assembly file of every family to its tier. Programs use package vec.
package asm
