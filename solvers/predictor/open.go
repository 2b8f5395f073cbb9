package predictor

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/model"
)

// Formats of a model's file.
const (
	Dualgap   = "dualgap" // a file of the library, of whatever kind
	LIBLINEAR = "liblinear"
	LIBSVM    = "libsvm"

	ONNX        = "onnx"
	Safetensors = "safetensors"
)

// Format returns the format of a file by its first bytes, 16 of them or all: "" where no model begins so.
func Format(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("dualgap\n")):
		return Dualgap
	case bytes.HasPrefix(head, []byte("solver_type")):
		return LIBLINEAR
	case bytes.HasPrefix(head, []byte("svm_type")):
		return LIBSVM
	case exchange.IsONNX(head):
		return ONNX
	case exchange.IsSafetensors(head):
		return Safetensors
	}
	return ""
}

// Open opens the file of a model. It is [Read], and its errors name the file.
func Open(path string) (*Predictor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := read(f, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Read reads a model of any kind and either type of numbers, the text that LIBLINEAR or LIBSVM writes, or a model as
// ONNX or safetensors (see package exchange), packed by gzip or not. Numbers of texts become float64, numbers of ONNX
// are float32. It may read bytes behind the model. What is packed, or no
// io.ReadSeeker, it reads into memory first.
func Read(r io.Reader) (*Predictor, error) {
	p, err := read(r, 0)
	if err != nil {
		return nil, fmt.Errorf("predictor: %w", err)
	}
	return p, nil
}

// ReadAtMost is [Read] of a model that is not trusted: it is an error if the file has, or unpacks to, more than most
// bytes. Memory is some times that at most, where a packed file may unpack to a thousand times its length.
func ReadAtMost(r io.Reader, most int64) (*Predictor, error) {
	if most < 1 {
		return nil, fmt.Errorf("predictor: a model of %d bytes at most, want 1 at least", most)
	}
	p, err := read(r, most)
	if err != nil {
		return nil, fmt.Errorf("predictor: %w", err)
	}
	return p, nil
}

// limited is an error once more than most bytes have come.
type limited struct {
	r          io.Reader
	come, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p))-1 > l.most-l.come { // a byte more, to see that there is one
		p = p[:max(0, l.most-l.come+1)]
	}
	n, err := l.r.Read(p)
	if l.come += int64(n); l.come > l.most {
		return 0, fmt.Errorf("a model of more than %d bytes", l.most)
	}
	return n, err
}

// read reads a model, of most bytes at most if that is not 0.
func read(r io.Reader, most int64) (*Predictor, error) {
	if r == nil {
		return nil, errors.New("the reader is nil")
	}
	in := bufio.NewReaderSize(r, 1<<16)
	back, _ := r.(io.ReadSeeker)
	var begin int64
	if back != nil {
		var err error
		if begin, err = back.Seek(0, io.SeekCurrent); err != nil {
			back = nil // a pipe
		}
	}
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in, back = bufio.NewReaderSize(z, 1<<16), nil
	}
	if most > 0 {
		in, back = bufio.NewReaderSize(&limited{r: in, most: most}, 1<<16), nil
	}
	head, err := in.Peek(16)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch Format(head) {
	case LIBLINEAR:
		return liblinear(in)
	case LIBSVM:
		return libsvm(in)
	case ONNX:
		return readONNX(in)
	case Safetensors:
		return either(exchange.ReadSafetensors(in))
	case "":
		return nil, fmt.Errorf("no model: it begins with %q", head)
	}
	if back == nil {
		all, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		back = bytes.NewReader(all)
	} else if _, err := back.Seek(begin, io.SeekStart); err != nil {
		return nil, err
	}
	return either(model.ReadAny(back))
}

// either returns the Predictor of the model that is there.
func either(single *model.Model[float32], double *model.Model[float64], err error) (*Predictor, error) {
	switch {
	case err != nil:
		return nil, err
	case single != nil:
		return newPredictor(single)
	}
	return newPredictor(double)
}
