package exchange

import (
	"bytes"
	"encoding/binary"
)

// IsONNX reports whether a file that begins so, by 16 bytes or all, may be an ONNX model: a message whose first field
// is a version of the format, as all programs write it.
func IsONNX(head []byte) bool {
	return len(head) > 2 && head[0] == 1<<3 && head[1] > 0 && head[1] < 1<<7 &&
		bytes.IndexByte([]byte("\x12\x1a\x22\x28\x32\x3a\x42"), head[2]) >= 0 // fields 2 to 8 of ModelProto
}

// IsSafetensors reports whether a file that begins so, by 16 bytes or all, may be one of safetensors: the length of a
// header and its first bytes.
func IsSafetensors(head []byte) bool {
	if len(head) < 10 || head[8] != '{' || bytes.IndexByte([]byte("\"} \t\r\n"), head[9]) < 0 {
		return false
	}
	size := binary.LittleEndian.Uint64(head)
	return size >= 2 && size <= mostHeader
}
