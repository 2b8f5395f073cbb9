// Package a64 writes Go assembly for arm64. Instructions that Go's assembler knows are printed by name (File.Op); the
// vector arithmetic that it lacks is encoded here, one method of File for each instruction, and printed as
//
//	WORD $0x4e22d420 // fadd v0.4s, v1.4s, v2.4s
//
// Word and comment come from the same call; the tests hold each against the disassembler of golang.org/x/arch.
package a64

import (
	"bytes"
	"fmt"
	"regexp"
)

// File is an assembly file under construction.
type File struct {
	buf    bytes.Buffer
	words  []word
	labels map[string]int // uses of each label's name in the current function
}

// Printf adds text as it is.
func (f *File) Printf(format string, args ...any) { fmt.Fprintf(&f.buf, format, args...) }

// Bytes returns the file.
func (f *File) Bytes() []byte { return f.buf.Bytes() }

// Text begins a function without a frame of its own. sig is its Go signature, which argBytes must agree with.
func (f *File) Text(name, sig string, argBytes int) {
	f.labels = map[string]int{}
	f.Printf("\n// func %s%s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name, sig, name, argBytes)
}

// NewLabel returns a label that the current function does not have yet.
func (f *File) NewLabel(name string) Label {
	f.labels[name]++
	if n := f.labels[name]; n > 1 {
		name = fmt.Sprintf("%s%d", name, n)
	}
	return Label(name)
}

// Bind puts the label here.
func (f *File) Bind(l Label) { f.Printf("\n%s:\n", l) }

// Comment adds lines that say what the part of the function behind them does, after an empty line unless a part begins
// here already.
func (f *File) Comment(lines ...string) {
	text := bytes.TrimSuffix(f.buf.Bytes(), []byte("\n"))
	if last := string(text[bytes.LastIndexByte(text, '\n')+1:]); !begins.MatchString(last) {
		f.Printf("\n")
	}
	for _, line := range lines {
		f.Printf("\t// %s\n", line)
	}
}

// begins matches a function's head, a label and a comment.
var begins = regexp.MustCompile(`^TEXT|:$|^\t//`)

// Op adds an instruction that Go's assembler knows: sources first, destination last.
func (f *File) Op(name string, args ...Operand) {
	f.Printf("\t%s", name)
	for i, a := range args {
		f.Printf("%s%s", [...]string{" ", ", "}[min(i, 1)], a.operand())
	}
	f.Printf("\n")
}
