package a64

import "testing"

// TestComment: a comment stands behind an empty line, but for one at a function's head, behind a label or behind
// another comment.
func TestComment(t *testing.T) {
	var f File
	f.Text("f", "()", 0)
	f.Comment("The head.")
	f.Op("RET")
	f.Comment("One line,", "and another.")
	f.Comment("And one more.")
	f.Op("RET")
	f.Bind("label")
	f.Comment("Behind the label.")
	f.Op("RET")
	const want = "\n// func f()\nTEXT ·f(SB), NOSPLIT, $0-0\n\t// The head.\n\tRET\n" +
		"\n\t// One line,\n\t// and another.\n\t// And one more.\n\tRET\n\nlabel:\n\t// Behind the label.\n\tRET\n"
	if got := string(f.Bytes()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
