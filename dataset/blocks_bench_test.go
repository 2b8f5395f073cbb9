package dataset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// BenchmarkReadCSRBlock: the same rows as text and as a block; MB/s of the text for both, so that they compare.
func BenchmarkReadCSRBlock(b *testing.B) {
	text := libsvmText(4<<20, 47236, 75, 6)
	d, err := ReadLIBSVM[float32](bytes.NewReader(text), "text", LIBSVMOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := (&CSRBlock[float32]{X: d.X, Y: d.Y}).WriteTo(&file); err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"text": func() error {
			_, err := ReadLIBSVM[float32](bytes.NewReader(text), "text", LIBSVMOptions{})
			return err
		},
		"block": func() error { _, err := ReadCSRBlock[float32](bytes.NewReader(file.Bytes())); return err },
	} {
		b.Run("impl="+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNPYRows: MB/s of the file, some rows at a time into one matrix, or all at once by ReadNPY.
func BenchmarkNPYRows(b *testing.B) {
	x := &Dense[float32]{vec.NewMatrix[float32](20000, 784)}
	for i := range x.Data {
		x.Data[i] = float32(i % 251)
	}
	for _, kind := range []string{"u1", "f4"} {
		path := filepath.Join(b.TempDir(), kind)
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := WriteNPY(f, x, NPYOptions{Type: kind}); err != nil {
			b.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			b.Fatal(err)
		}
		for _, size := range []int{100, 1000, 5000} {
			b.Run(fmt.Sprintf("type=%s/rows=%d", kind, size), func(b *testing.B) {
				b.SetBytes(info.Size())
				var block Dense[float32]
				for b.Loop() {
					rows, err := NewNPYRows[float32](f, info.Size(), path, NPYOptions{})
					for from := 0; err == nil && from < x.Rows; from += size {
						err = rows.Read(&block, from, min(from+size, x.Rows))
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(fmt.Sprintf("type=%s/rows=all", kind), func(b *testing.B) {
			b.SetBytes(info.Size())
			for b.Loop() {
				f.Seek(0, 0)
				if _, err := ReadNPY[float32](f, path, NPYOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		f.Close()
	}
}
