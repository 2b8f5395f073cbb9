package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// save writes the model, which knows how its examples were scaled, and what else is noted of them.
func save[T vec.Float](to *file.Output, r *trained[T], scaling *dataset.Scaling, about map[string]string) error {
	notes := r.model.Notes()
	maps.Copy(notes, r.notes)
	maps.Copy(notes, about)
	if scaling != nil {
		var err error
		if notes, err = scaling.Note(notes); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error {
		_, err := r.model.WithNotes(notes).WriteTo(w)
		return err
	}
	if err := to.Write(write); err != nil {
		return rescue(err, write)
	}
	return nil
}

// rescue writes a model to a new file in the folder for temporary files, since it cannot be written to its own: a
// training of hours is not lost because a disk became full meanwhile. It returns wrong, the reason, with the name of
// that file.
func rescue(wrong error, write func(io.Writer) error) error {
	name := filepath.Join(os.TempDir(), "model-"+rand.Text()[:10]+".dg")
	if err := file.Write(name, write); err != nil {
		return fmt.Errorf("%w; the model is lost: %w", wrong, err)
	}
	return fmt.Errorf("%w; the model is in %s instead", wrong, name)
}
