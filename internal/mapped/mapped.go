// Package mapped maps files into memory, where the system can.
package mapped

import (
	"fmt"
	"io/fs"
	"os"
)

// Open returns the bytes of a file, as the system maps them: it reads what is used, and takes memory for it that it may
// have back at any time. They must not be written to. unmap ends that: nobody may look at them any more. It is nil on
// systems other than Linux, macOS and BSD, where the bytes are read into memory, and for a file without bytes. While a
// file is mapped it must not become shorter: the system would end the program.
func Open(path string) (b []byte, unmap func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	switch {
	case size == 0:
		return nil, nil, nil
	case int64(int(size)) != size:
		err = fmt.Errorf("%d bytes are more than an address of this machine reaches", size)
	default:
		b, unmap, err = open(f, int(size))
	}
	if err != nil {
		return nil, nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return b, unmap, nil
}
