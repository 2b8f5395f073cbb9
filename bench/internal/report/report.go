// Package report prints the tables and figures of a command: as text where it prints, as JSON and SVG into a folder.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/bench/internal/progress"
)

// Report is where a command's results go.
type Report struct {
	Bar  *progress.Bar // how far the command has come
	text io.Writer
	dir  string // "": no files
}

// New returns a report that prints to text, shows progress on errors, and writes files into the folder dir, which it
// makes; none where dir is "".
func New(text, errors io.Writer, dir string) (*Report, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, fmt.Errorf("-out: %w", err)
		}
	}
	return &Report{Bar: progress.New(errors), text: text, dir: dir}, nil
}

// Print prints a line, as fmt.Printf does.
func (r *Report) Print(format string, a ...any) error {
	r.Bar.Clear()
	_, err := fmt.Fprintf(r.text, format+"\n", a...)
	return err
}

// writeJSON writes v into a file of the folder, if there is one.
func (r *Report) writeJSON(file string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return r.write(file, append(text, '\n'))
}

func (r *Report) write(file string, content []byte) error {
	if r.dir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(r.dir, file), content, 0o666)
}
