package exchange

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// dtypes are the sizes of the types that models have.
var dtypes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4}

// readTensors reads a file to its end.
func readTensors(r io.Reader) (*tensors, error) {
	if r == nil {
		return nil, errors.New("the reader is nil")
	}
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("the length of the header: %w", noEOF(err))
	}
	size := binary.LittleEndian.Uint64(head[:])
	if size < 2 || size > mostHeader {
		return nil, fmt.Errorf("a header of %d bytes, want 2 to %d", size, mostHeader)
	}
	var header bytes.Buffer
	if _, err := io.CopyN(&header, r, int64(size)); err != nil {
		return nil, fmt.Errorf("a header of %d bytes: %w", size, noEOF(err))
	}
	f, total, err := parseHeader(header.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	var data bytes.Buffer
	n, err := io.Copy(&data, io.LimitReader(r, total+1))
	if err != nil {
		return nil, err
	}
	if n != total {
		return nil, fmt.Errorf("%d bytes of tensors or more, want %d", n, total)
	}
	at := 0
	for i := range f.all {
		size, _ := f.all[i].size()
		f.all[i].data = data.Bytes()[at : at+int(size)]
		at += int(size)
	}
	return f, nil
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// size is the number of bytes that a tensor's shape and type say.
func (t *tensor) size() (int64, error) {
	size := int64(dtypes[t.dtype])
	for _, n := range t.shape {
		if n > 0 && size > math.MaxInt/2/int64(n) {
			return 0, fmt.Errorf("the tensor %q of shape %v is beyond this machine's memory", t.name, t.shape)
		}
		size *= int64(n)
	}
	return size, nil
}

// parseHeader returns the tensors, without data and in their order, and the number of bytes that they have. There are
// no gaps between them.
func parseHeader(text []byte) (f *tensors, total int64, err error) {
	if text[0] != '{' {
		return nil, 0, fmt.Errorf("it begins with %q, want {", text[0])
	}
	f = &tensors{}
	from := map[string]int64{}
	d := json.NewDecoder(bytes.NewReader(text))
	err = object(d, func(key string) error {
		if key == "__metadata__" {
			f.meta = metadata{}
			return object(d, func(key string) error {
				var value string
				err := d.Decode(&value)
				f.meta[key] = value
				return err
			})
		}
		t, begin, err := decodeTensor(d, key)
		from[key] = begin
		f.all = append(f.all, t)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	if rest := bytes.TrimRight(text[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, 0, fmt.Errorf("%d bytes behind it that are no blanks", len(rest))
	}
	slices.SortStableFunc(f.all, func(a, b tensor) int {
		sizeA, _ := a.size()
		sizeB, _ := b.size()
		return cmp.Or(cmp.Compare(from[a.name], from[b.name]), cmp.Compare(sizeA, sizeB)) // empty ones first
	})
	for _, t := range f.all {
		if from[t.name] != total {
			return nil, 0, fmt.Errorf("the tensor %q begins at %d, want %d, where the one before ends", t.name,
				from[t.name], total)
		}
		size, _ := t.size()
		if size > math.MaxInt64-1-total {
			return nil, 0, fmt.Errorf("tensors of more than %d bytes", int64(math.MaxInt64-1))
		}
		total += size
	}
	return f, total, nil
}

// object calls do behind each key of a JSON object.
func object(d *json.Decoder, do func(key string) error) error {
	open, err := d.Token()
	if err != nil {
		return noEOF(err)
	}
	if open != json.Delim('{') {
		return fmt.Errorf("%v, want an object", open)
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return noEOF(err)
		}
		name, ok := key.(string)
		if !ok || seen[name] {
			return fmt.Errorf("the key %v, want a name, once", key)
		}
		seen[name] = true
		if err := do(name); err != nil {
			return fmt.Errorf("%q: %w", name, noEOF(err))
		}
	}
	_, err = d.Token()
	return noEOF(err)
}

// decodeTensor reads what the header says of a tensor, and where it begins.
func decodeTensor(d *json.Decoder, name string) (t tensor, begin int64, err error) {
	var entry struct {
		Dtype   *string  `json:"dtype"`
		Shape   *[]int64 `json:"shape"`
		Offsets []int64  `json:"data_offsets"`
	}
	if err := d.Decode(&entry); err != nil {
		return t, 0, err
	}
	if entry.Dtype == nil || entry.Shape == nil || len(entry.Offsets) != 2 {
		return t, 0, errors.New("want dtype, shape and two data_offsets")
	}
	t = tensor{name: name, dtype: *entry.Dtype}
	for _, n := range *entry.Shape {
		if n < 0 || n > math.MaxInt {
			return t, 0, fmt.Errorf("the shape %v is beyond this machine's memory", *entry.Shape)
		}
		t.shape = append(t.shape, int(n))
	}
	if dtypes[t.dtype] == 0 {
		return t, 0, fmt.Errorf("the type %q, want one of %v", t.dtype, slices.Sorted(maps.Keys(dtypes)))
	}
	size, err := t.size()
	if err != nil {
		return t, 0, err
	}
	begin, end := entry.Offsets[0], entry.Offsets[1]
	if begin < 0 || end < begin || end-begin != size {
		return t, 0, fmt.Errorf("data_offsets %d and %d of %d bytes, as %s of shape %v has", begin, end, size, t.dtype,
			t.shape)
	}
	return t, begin, nil
}
