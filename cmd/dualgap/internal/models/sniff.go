package models

import (
	"bytes"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
)

// What a file is, by its first bytes.
const (
	NoModel   = ""
	Own       = "dualgap" // a file of the library, of whatever kind
	LIBLINEAR = "liblinear"
	LIBSVM    = "libsvm"
)

// Sniff returns what a file is. Of standard input it reads nothing, and says NoModel.
func Sniff(path string) (string, error) {
	if path == "-" {
		return NoModel, nil
	}
	in, err := file.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	head, _ := in.Peek(16)
	return kindOf(head), nil
}

func kindOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("dualgap\n")):
		return Own
	case bytes.HasPrefix(head, []byte("solver_type")):
		return LIBLINEAR
	case bytes.HasPrefix(head, []byte("svm_type")):
		return LIBSVM
	}
	return NoModel
}

// IsModel reports whether files of the library of this kind are models.
func IsModel(kind string) bool {
	return kind == "linear" || kind == "lowrank" || kind == "kernel" || kind == "kernels"
}
