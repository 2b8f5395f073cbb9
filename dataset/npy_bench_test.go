package dataset

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// BenchmarkReadNPY: MB/s of the file. impl=read takes the bytes from the file alone: what the disk, or the system's
// memory of it, gives.
func BenchmarkReadNPY(b *testing.B) {
	x := &Dense[float32]{vec.NewMatrix[float32](40000, 784)}
	for i := range x.Data {
		x.Data[i] = float32(i % 251)
	}
	for _, kind := range []string{"u1", "f4", "f8", "i2"} {
		var file bytes.Buffer
		if err := WriteNPY(&file, x, NPYOptions{Type: kind}); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), kind)
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
		for name, read := range map[string]func(f *os.File) error{
			"npy": func(f *os.File) error { _, err := ReadNPY[float32](f, path, NPYOptions{}); return err },
			"read": func(f *os.File) error {
				_, err := io.ReadFull(f, make([]byte, file.Len()))
				return err
			},
		} {
			b.Run(fmt.Sprintf("type=%s/impl=%s", kind, name), func(b *testing.B) {
				b.SetBytes(int64(file.Len()))
				for b.Loop() {
					f, err := os.Open(path)
					if err != nil {
						b.Fatal(err)
					}
					if err := read(f); err != nil {
						b.Fatal(err)
					}
					f.Close()
				}
			})
		}
	}
}

// BenchmarkMapped: products of all rows with 10 outputs, from a file in the system's memory and from memory.
func BenchmarkMapped(b *testing.B) {
	x := &Dense[float32]{vec.NewMatrix[float32](8000, 784)}
	for i := range x.Data {
		x.Data[i] = float32(i % 251)
	}
	w, s := vec.NewMatrix[float32](784, 10), vec.NewMatrix[float32](8000, 10)
	for _, kind := range []string{"dense", "f4", "u1", "f8"} {
		var f interface {
			Scores(dst, w vec.Matrix[float32], rows []int)
			Accumulate(w, a vec.Matrix[float32], rows []int)
		} = x
		if kind != "dense" {
			var file bytes.Buffer
			if err := WriteNPY(&file, x, NPYOptions{Type: kind}); err != nil {
				b.Fatal(err)
			}
			path := filepath.Join(b.TempDir(), kind)
			if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
				b.Fatal(err)
			}
			m, err := MapNPY[float32](path, NPYOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			f = m
		}
		b.Run("Scores/storage="+kind, func(b *testing.B) {
			for b.Loop() {
				f.Scores(s, w, nil)
			}
		})
		b.Run("Accumulate/storage="+kind, func(b *testing.B) {
			for b.Loop() {
				f.Accumulate(w, s, nil)
			}
		})
	}
}

// BenchmarkDecode: MB/s of the numbers of float32 that are made.
func BenchmarkDecode(b *testing.B) {
	for _, kind := range []string{"|u1", "<i2", ">i2", "<f4", ">f4", "<f8"} {
		e, _ := npyElement(kind)
		src, dst := make([]byte, 4096*e.size), make([]float32, 4096)
		for i := range src {
			src[i] = byte(i % 97)
		}
		b.Run("type="+kind[1:]+"/order="+kind[:1], func(b *testing.B) {
			c := newDecoder[float32](e, 1./255, 0)
			b.SetBytes(4 * 4096)
			for b.Loop() {
				c.decode(dst, src)
			}
		})
	}
}
