package data

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// archive are the files of a folder and the folders in it.
type archive struct {
	named map[string]string // the path of the file of a name
	sums  map[string]string // of files in IDX, which may have any name: the path of the file with a SHA-256
	mat   map[string]array  // of the MAT file, once it is read
}

// makeAll makes of the files of from what dir has not.
func makeAll(out io.Writer, from, dir string, files []file) error {
	a, err := openArchive(from)
	if err != nil {
		return err
	}
	wrong := 0
	for _, f := range files {
		state, err := a.make(f, filepath.Join(dir, f.path))
		if err != nil {
			state = "FAILED: " + err.Error()
			wrong++
		}
		if _, err := fmt.Fprintf(out, "%-42s %s\n", f.path, state); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d files could not be made", wrong, len(files))
	}
	return nil
}

// openArchive looks for files.
func openArchive(from string) (*archive, error) {
	a := &archive{named: map[string]string{}, sums: map[string]string{}}
	return a, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name := strings.TrimSuffix(d.Name(), ".gz")
		a.named[name] = path
		if strings.Contains(name, "ubyte") {
			sum, err := sumOf(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			a.sums[sum] = path
		}
		return nil
	})
}

// make makes a file, and says what it did.
func (a *archive) make(f file, to string) (state string, err error) {
	if _, err := os.Stat(to); err == nil {
		return "is there", nil
	}
	write := a.source(f)
	if write == nil {
		switch {
		case strings.HasPrefix(f.path, caltechFolder+"/"):
			return "is of make caltech, from images", nil
		case f.made == "":
			return "has no recipe", nil
		}
		return "not made: want " + f.made + " in -from", nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return "", err
	}
	part := to + ".part"
	defer os.Remove(part)
	sum, err := packed(part, write)
	if err != nil {
		return "", err
	}
	if sum != f.sum {
		return "", fmt.Errorf("the SHA-256 of what was made is %s, want %s: the archive's files are others", sum, f.sum)
	}
	return "made", os.Rename(part, to)
}

// source returns what writes a file, nil where there is nothing to make it of.
func (a *archive) source(f file) func(io.Writer) error {
	set, part, _ := cutLast(stem(f.path), "-")
	switch {
	case f.made == anyName:
		if path, ok := a.sums[f.sum]; ok {
			return func(w io.Writer) error { return copyFrom(w, path) }
		}
	case f.made == matFile:
		if path, ok := a.named[matFile]; ok {
			return func(w io.Writer) error { return a.silhouettes(w, path, part) }
		}
	case f.made == tsvFile, f.made == rdaFile:
		if path, ok := a.named[f.made]; ok {
			convert := map[string]func(io.Writer, io.Reader) error{tsvFile: writeSIFT, rdaFile: writeRCV1}[f.made]
			return func(w io.Writer) error { return converted(w, path, convert) }
		}
	case strings.Contains(f.made, ".arff"):
		rows, labels := a.named[set+"-"+part+".arff"], a.named[set+".xml"]
		if rows != "" && labels != "" {
			return func(w io.Writer) error { return mulanFiles(w, rows, labels) }
		}
	}
	return nil
}

func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}

func copyFrom(w io.Writer, path string) error {
	in, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(w, in)
	return err
}

func converted(w io.Writer, path string, convert func(io.Writer, io.Reader) error) error {
	in, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := convert(w, in); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (a *archive) silhouettes(w io.Writer, path, part string) error {
	if a.mat == nil {
		content, err := os.ReadFile(path)
		if err == nil {
			a.mat, err = readMAT(content, matMost)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return writeSilhouettes(w, a.mat, part)
}

func mulanFiles(w io.Writer, rows, labels string) error {
	in, err := open(labels)
	if err != nil {
		return err
	}
	defer in.Close()
	names, err := mulanLabels(in)
	if err != nil {
		return fmt.Errorf("%s: %w", labels, err)
	}
	arff, err := open(rows)
	if err != nil {
		return err
	}
	defer arff.Close()
	if err := mulan(w, arff, names); err != nil {
		return fmt.Errorf("%s: %w", rows, err)
	}
	return nil
}

// packed writes a gzip file, and returns the SHA-256 of what went into it.
func packed(path string, write func(io.Writer) error) (sum string, err error) {
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	h, z := sha256.New(), gzip.NewWriter(out)
	err = write(io.MultiWriter(h, z))
	if err = errors.Join(err, z.Close(), out.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
