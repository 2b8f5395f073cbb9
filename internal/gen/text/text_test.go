package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostBare is the number of instructions from which on a function must have a comment.
const mostBare = 60

// TestSections: each function of the committed assembly that has more than mostBare instructions has comments.
func TestSections(t *testing.T) {
	files, err := filepath.Glob("../../../asm/*/*.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, function := range bare(string(text)) {
			t.Errorf("%s: %s has more than %d instructions and no comment", name, function, mostBare)
		}
	}
	body, comment := strings.Repeat("\tWORD $0 // nop\n", mostBare), "\n\t// A part.\n"
	for text, want := range map[string]int{
		"TEXT ·a(SB)\n" + body:                                      0,
		"TEXT ·a(SB)\n\tPCALIGN $16\n" + body:                       0,
		"TEXT ·a(SB)\n" + body + "\tRET\n":                          1,
		"TEXT ·a(SB)\n" + body + comment + "\tRET\n":                0,
		"TEXT ·a(SB)\n" + comment + "TEXT ·b(SB)\n" + body + body:   1,
		"TEXT ·a(SB)\n" + body + "\tRET\nTEXT ·b(SB)\n" + comment:   1,
		"// A file.\nTEXT ·a(SB)\n" + body + "\tRET\n// Function b": 1,
	} {
		if got := bare(text); len(got) != want {
			t.Errorf("%q found, want %d, in %q", got, want, text)
		}
	}
}

// bare returns the functions that have more than mostBare instructions and no comment.
func bare(text string) (functions []string) {
	for _, function := range strings.Split("\n"+text, "\nTEXT ")[1:] {
		lines := strings.Split(function, "\n")
		instructions, comments := 0, 0
		for _, line := range lines[1:] {
			switch {
			case strings.HasPrefix(line, "\t//"):
				comments++
			case strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\tPCALIGN"):
				instructions++
			}
		}
		if instructions > mostBare && comments == 0 {
			functions = append(functions, lines[0])
		}
	}
	return functions
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 vectors", 1: "1 vector", 4: "4 vectors"} {
		if got := Counted(n, "vector"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
