// Package data checks the files of the larger data sets, which -data DIR reads, and makes them from the files of the
// public archives. docs/data.md has where these are.
package data

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const usage = `The larger data sets, which other commands read from -data DIR.

usage: go run ./bench data check [-data DIR]
       go run ./bench data make -from FOLDER [-data DIR]
       go run ./bench data make caltech -from IMAGES [-data DIR]

check tells of each file whether it is there, and whether it holds what it should. make looks in a folder for files of
the public archives, and makes of them what it can: see docs/data.md. It leaves files that are there as they are. make caltech computes the features of the images
IMAGES/CLASS/NAME.jpg, the folder 101_ObjectCategories of Caltech-101; its files differ from the listed ones.
`

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	what := ""
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	if what == "-h" || what == "-help" || what == "--help" {
		fmt.Fprint(stderr, usage)
		return flag.ErrHelp
	}
	if what != "check" && what != "make" {
		return fmt.Errorf("data %q: want check or make, see -h", what)
	}
	if what == "make" && len(args) > 0 && args[0] == "caltech" {
		what, args = "make caltech", args[1:]
	}
	f := flag.NewFlagSet("data "+what, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	dir := f.String("data", os.Getenv("DUALGAP_DATA"), "`folder` of the data sets")
	from := f.String("from", "", "`folder` of the archives' files")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stderr, usage)
		}
		return err
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("data %s: unexpected argument %q: there are only flags, see -h", what, f.Arg(0))
	case *dir == "":
		return fmt.Errorf("data %s: want -data, the folder of the data sets, or DUALGAP_DATA", what)
	case what == "check" && *from != "":
		return fmt.Errorf("data check: -from %s is of make", *from)
	case what != "check" && *from == "":
		return fmt.Errorf("data %s: want -from, the folder of the archives' files", what)
	}
	switch what {
	case "check":
		return check(stdout, *dir, files)
	case "make caltech":
		return makeCaltech(ctx, stdout, *from, *dir)
	}
	return makeAll(stdout, *from, *dir, files)
}

// check prints a line for each file, and returns an error if one holds something else.
func check(out io.Writer, dir string, files []file) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("-data %s: no such folder", dir)
	}
	wrong := 0
	for _, f := range files {
		state := "ok"
		sum, err := sumOf(filepath.Join(dir, f.path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			state = "not there"
		case err != nil:
			state = "WRONG: " + err.Error()
			wrong++
		case sum != f.sum:
			state = fmt.Sprintf("WRONG: its SHA-256 is %s, want %s", sum, f.sum)
			wrong++
		}
		if _, err := fmt.Fprintf(out, "%-42s %s\n", f.path, state); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d files do not hold what they should", wrong, len(files))
	}
	return nil
}

// open opens a file, and unpacks it if it is packed.
func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var magic [2]byte
	n, err := io.ReadFull(f, magic[:])
	if _, back := f.Seek(0, io.SeekStart); back != nil {
		return nil, errors.Join(back, f.Close())
	}
	if err != nil || n < 2 || magic != [2]byte{0x1f, 0x8b} {
		return f, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// sumOf returns the SHA-256 of what a file holds, unpacked.
func sumOf(path string) (string, error) {
	in, err := open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// stem is the name of a set and its part: yeast-train of yeast-train.mlsvm.gz.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}
