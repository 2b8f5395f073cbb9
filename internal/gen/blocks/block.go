package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// block is a basic block.
type block struct {
	file string
	line int    // of its first instruction, from 0
	text string // the function
	name string // the label, or empty for the function's head
	past int    // how many jumps stand between the label and the block
}

var (
	textLine  = regexp.MustCompile(`^TEXT ·(\w+)(<>)?\(SB\)`)
	labelLine = regexp.MustCompile(`^(\w+):$`)
	// A jump's target comes last: a label, or another function.
	jumpLine = regexp.MustCompile(`^\t(?:J[A-Z]+|B|B[A-Z]{2}|T?CBN?Z|TBN?Z|RET)(?:\s+(?:.*,\s*)?[\w·]+(?:\(SB\))?)?$`)
)

// blocks returns the basic blocks of a file, in order. Of labels with nothing between them the last names the block.
func blocks(name, text string) (found []block) {
	var next block
	begins := false
	for i, line := range strings.Split(text, "\n") {
		switch t, l := textLine.FindStringSubmatch(line), labelLine.FindStringSubmatch(line); {
		case t != nil:
			next, begins = block{file: name, text: t[1]}, true
		case l != nil:
			next, begins = block{file: name, text: next.text, name: l[1]}, true
		case instruction(line):
			if begins {
				next.line, begins = i, false
				found = append(found, next)
			}
			if jumpLine.MatchString(line) {
				next.past++
				begins = true
			}
		}
	}
	return found
}

// instruction reports whether the line is one: comments and alignments are not.
func instruction(line string) bool {
	return strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t//") && !strings.HasPrefix(line, "\tPCALIGN")
}

// forms are the ends of functions' names, by which they tell what they run on.
var forms = []string{"AVX512", "VBMIVNNI", "VBMI", "VNNI", "BF16", "VPOPCNT", "Gather", "AVX2", "F16C", "NEON",
	"DotProd"}

// form returns what the block's function runs on, "entry" if it is one that chooses.
func (b block) form() string {
	i := slices.IndexFunc(forms, func(f string) bool { return strings.HasSuffix(b.text, f) })
	if i < 0 {
		return "entry"
	}
	return forms[i]
}

// String names the function, the label, and how many jumps are between the label and the block.
func (b block) String() string {
	s := b.text
	if b.name != "" {
		s += " " + b.name
	}
	if b.past > 0 {
		s += fmt.Sprintf(" behind jump %d", b.past)
	}
	return s
}
