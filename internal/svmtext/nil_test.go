package svmtext

import (
	"strings"
	"testing"
)

// TestNoReader: a nil reader is an error of the first word.
func TestNoReader(t *testing.T) {
	if _, err := NewReader(nil, "a model").Word(); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Error(err)
	}
}
