package data

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
)

// TestLines: what a line would take is an error before it is taken, whatever separates columns and wherever quotes hide
// the ends of lines; lines that are long together are none.
func TestLines(t *testing.T) {
	memory.Use(20e6)
	defer memory.Use(0)
	repeat := strings.Repeat
	for name, c := range map[string]struct {
		text string
		good bool
	}{
		"columns":        {repeat("1,", 41000) + "1\n", false},
		"fewer":          {repeat("1,", 38000) + "1\n", true},
		"many lines":     {repeat(repeat("1,", 1000)+"1\n", 1000), true},
		"tabs":           {repeat("1\t", 41000) + "1", false},
		"the last line":  {repeat("1,1\n", 1000) + repeat("1,", 41000), false},
		"bytes":          {repeat("1", 2100000) + ",1\n", false},
		"fewer bytes":    {repeat("1", 1900000) + ",1\n", true},
		"quoted ends":    {"1\n" + repeat("\"\n\",", 41000) + "1\n", false},
		"quotes alone":   {repeat("\"1\",\"a \"\"b\"\"\"\n", 41000), true},
		"a quoted field": {"\"" + repeat("abcdefg\n", 300000) + "\",1\n", false},
	} {
		for reader, in := range map[string]io.Reader{
			"at once": strings.NewReader(c.text), "in halves": iotest.HalfReader(strings.NewReader(c.text)),
			"with its end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			b, err := io.ReadAll(&lines{r: in})
			switch {
			case c.good && (err != nil || string(b) != c.text):
				t.Errorf("%s, %s: %d bytes of %d, %v", name, reader, len(b), len(c.text), err)
			case !c.good && (err == nil || !strings.Contains(err.Error(), "too large: the first ")):
				t.Errorf("%s, %s: %v", name, reader, err)
			}
		}
	}
	broken := errors.New("broken")
	in := &lines{r: io.MultiReader(strings.NewReader("1,2\n"), iotest.ErrReader(broken))}
	if _, err := io.ReadAll(in); err != broken {
		t.Errorf("a file that cannot be read: %v", err)
	}
}
