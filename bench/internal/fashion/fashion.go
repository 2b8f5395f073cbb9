// Package fashion reads the full Fashion-MNIST from a folder.
package fashion

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/bench/internal/data"
	"github.com/dualgap/dualgap/dataset"
)

// Images are float32 pixels in [0,1] and their classes.
type Images = *dataset.Labeled[*dataset.Dense[float32]]

// Open reads the four files of Fashion-MNIST, which lie in dir or in its folder fashion-mnist.
func Open(dir string) (train, test Images, err error) {
	if sub := filepath.Join(dir, "fashion-mnist"); isDir(sub) {
		dir = sub
	} else if !isDir(dir) {
		return nil, nil, fmt.Errorf("-data %s: no such folder", dir)
	}
	if train, err = part(dir, "train", nil); err != nil {
		return nil, nil, err
	}
	if test, err = part(dir, "t10k", train.Classes); err != nil {
		return nil, nil, err
	}
	if train.X.Cols != test.X.Cols {
		return nil, nil, fmt.Errorf("%s: %d pixels in the training images, but %d in the test images",
			dir, train.X.Cols, test.X.Cols)
	}
	return train, test, nil
}

func part(dir, part string, classes []string) (Images, error) {
	x := filepath.Join(dir, part+"-images-idx3-ubyte.gz")
	y := filepath.Join(dir, part+"-labels-idx1-ubyte.gz")
	for _, file := range []string{x, y} {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("-data: %w", err)
		}
	}
	data.Opened(x, y)
	return dataset.OpenIDX[float32](x, y, dataset.IDXOptions{Scale: 1.0 / 255, Classes: classes})
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
