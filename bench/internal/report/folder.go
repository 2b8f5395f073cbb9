package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// Folder is where the examples lie.
type Folder string

func (f Folder) check() error {
	if f == "" {
		return fmt.Errorf("want -data, the folder of the examples, or DUALGAP_DATA")
	}
	if info, err := os.Stat(string(f)); err != nil || !info.IsDir() {
		return fmt.Errorf("-data %s: no such folder", string(f))
	}
	return nil
}

// Path returns the path of a file of the folder, or an error that names all of these files that are not there. The
// files are told to data.Opened, which warns of a wrong checksum.
func (f Folder) Path(names ...string) (paths []string, err error) {
	var missing []string
	for _, name := range names {
		path := filepath.Join(string(f), name)
		if _, err := os.Stat(path); err != nil {
			missing = append(missing, name)
		}
		paths = append(paths, path)
	}
	if missing != nil {
		return nil, fmt.Errorf("-data %s: lacks %s", string(f), strings.Join(missing, ", "))
	}
	data.Opened(paths...)
	return paths, nil
}

// LIBSVM reads files of LIBSVM text, of which the first says the columns and classes of all.
func LIBSVM[T vec.Float](f Folder, o dataset.LIBSVMOptions, names ...string) (
	parts []*dataset.Labeled[*dataset.CSR[T]], err error,
) {
	paths, err := f.Path(names...)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		part, err := dataset.OpenLIBSVM[T](path, o)
		if err != nil {
			return nil, err
		}
		o.Cols, o.Classes = part.X.Cols, part.Classes
		parts = append(parts, part)
	}
	return parts, nil
}
