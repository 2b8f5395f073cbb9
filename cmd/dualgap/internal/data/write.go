package data

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// others are ends of names that say a format which data are not written in. Any other end may belong to LIBSVM text,
// whose files have all kinds of names.
var others = []string{
	".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".xml", ".toml", ".html", ".htm", ".md", ".arff", ".pmml",
	".parquet", ".arrow", ".feather", ".avro", ".orc", ".xls", ".xlsx", ".ods", ".db", ".sqlite", ".sql",
	".npz", ".mat", ".h5", ".hdf5", ".pkl", ".pickle", ".joblib", ".rds", ".rda", ".onnx", ".pt", ".safetensors", ".dg",
	".state",
	".zip", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".tar", ".tgz", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf",
}

// IsOther reports whether files whose names end so have a format that neither data nor models are written in. ".dg" is
// for models.
func IsOther(end string) bool { return slices.Contains(others, strings.ToLower(end)) }

// FormatToWrite returns the format that data in a file of this name are to have: csv, npy, else libsvm. It is an error
// where the name says another one.
func FormatToWrite(path string) (string, error) {
	end := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	format := FormatOf(path, "")
	if format == "idx" || strings.HasSuffix(format, "vecs") || strings.EqualFold(end, ".tsv") || IsOther(end) {
		return "", fmt.Errorf("%s: the name says a format that is not written: end it in .csv, .npy or .svm", path)
	}
	return format, nil
}
