package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// An overlay is a directory with files that stand in the place of others, and the list of them for the go command.
type overlay struct {
	dir     string
	Replace map[string]string // by their whole paths
}

func newOverlay(dir string) (*overlay, error) {
	return &overlay{dir, map[string]string{}}, os.MkdirAll(dir, 0o700)
}

// put has text stand in the place of a file that is there, or is not.
func (o *overlay) put(file string, text []byte) error {
	whole, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if o.Replace[whole] == "" {
		o.Replace[whole] = filepath.Join(o.dir, fmt.Sprintf("%d.go", len(o.Replace)))
	}
	return os.WriteFile(o.Replace[whole], text, 0o600)
}

// flag writes the list and returns the flag that names it.
func (o *overlay) flag() (string, error) {
	text, err := json.Marshal(o)
	path := filepath.Join(o.dir, "overlay.json")
	return "-overlay=" + path, errors.Join(err, os.WriteFile(path, text, 0o600))
}

// alone is the overlay of one mutant.
func alone(dir string, m *mutant) (string, error) {
	o, err := newOverlay(dir)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if err := o.put(m.file, m.apply(source)); err != nil {
		return "", err
	}
	return o.flag()
}

// together is the overlay of all mutants inside functions, each behind its switch.
func together(dir string, mutants []*mutant) (string, error) {
	o, err := newOverlay(dir)
	if err != nil {
		return "", err
	}
	in := map[string][]*mutant{}
	for _, m := range mutants {
		if m.inside {
			in[m.file] = append(in[m.file], m)
		}
	}
	for file, mutants := range in {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		text, err := switches(source, mutants)
		if err != nil {
			return "", err
		}
		choice := "package " + mutants[0].in.Name + "\n" + chosen
		err = errors.Join(o.put(file, text), o.put(filepath.Join(filepath.Dir(file), "zz_mutant.go"), []byte(choice)))
		if err != nil {
			return "", err
		}
	}
	return o.flag()
}
