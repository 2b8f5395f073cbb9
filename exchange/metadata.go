package exchange

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Keys of the metadata of either format. A file without the first is another program's.
const (
	keyFormat   = "dualgap"  // the version of these keys
	keyNames    = "names"    // of the outputs, a JSON array; absent: none
	keyConstant = "constant" // value of a constant feature; absent: 1
	keyWeights  = "constant weights"
	keyKernel   = "kernel"
	keyModel    = "model"    // safetensors: linear, low rank or kernel
	keyFeatures = "features" // safetensors: d of support vectors
	keyExamples = "examples" // n of the training
	keySupport  = "support"  // places of the support vectors among these
	keyBlocks   = "blocks"   // ONNX: the support vectors of each output
	keyForm     = "vectors"  // ONNX: dense or sparse
	keyOffsets  = "offsets"  // ONNX: of the outputs of a model of a kernel; absent: none
	keyNote     = "note."    // and the key of a note of the model

	version = "1"
)

// metadata are texts by keys.
type metadata map[string]string

// about returns the metadata that every model has.
func about(names []string, notes map[string]string) (metadata, error) {
	meta := metadata{keyFormat: version}
	if names != nil {
		meta[keyNames] = jsonText(names)
	}
	for key, note := range notes {
		if !utf8.ValidString(key) || !utf8.ValidString(note) {
			return nil, fmt.Errorf("exchange: the note %q is not UTF-8, which metadata are", key)
		}
		meta[keyNote+key] = note
	}
	return meta, nil
}

// jsonText is v, of valid strings, as JSON.
func jsonText(v any) string {
	b, _ := json.Marshal(v) // strings have no errors
	return string(b)
}

// own reports whether this package wrote the file. A newer version of it is an error.
func (meta metadata) own() (bool, error) {
	v, ok := meta[keyFormat]
	if ok && v != version {
		return false, fmt.Errorf("metadata of version %q, want %s: a newer release wrote them", v, version)
	}
	return ok, nil
}

// names returns the names of the outputs, nil where there are none.
func (meta metadata) names() (names []string, err error) {
	text, ok := meta[keyNames]
	if !ok {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &names); err != nil {
		return nil, fmt.Errorf("the names in the metadata: %w", err)
	}
	return names, nil
}

// notes returns the notes of the model, nil where there are none.
func (meta metadata) notes() (notes map[string]string) {
	for key, note := range meta {
		if own, ok := strings.CutPrefix(key, keyNote); ok {
			if notes == nil {
				notes = map[string]string{}
			}
			notes[own] = note
		}
	}
	return notes
}

// numbers returns the numbers of a text with blanks between them.
func (meta metadata) numbers(key string) (all []float64, err error) {
	for word := range strings.FieldsSeq(meta[key]) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("%q in the metadata: %q, want a finite number", key, word)
		}
		all = append(all, v)
	}
	return all, nil
}

// ints returns integers of at least 0.
func (meta metadata) ints(key string) ([]int, error) { return parseInts(key, meta[key]) }

func parseInts(key, text string) (all []int, err error) {
	for word := range strings.FieldsSeq(text) {
		v, err := strconv.ParseInt(word, 10, 32)
		if err != nil || v < 0 {
			return nil, fmt.Errorf("%q in the metadata: %q, want an integer from 0 to 2^31-1", key, word)
		}
		all = append(all, int(v))
	}
	return all, nil
}

// int returns the one integer of a key.
func (meta metadata) int(key string) (int, error) {
	all, err := meta.ints(key)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("%q in the metadata: %d integers, want one", key, len(all))
	}
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// intsText is the text of integers.
func intsText(all []int) string {
	var b []byte
	for i, v := range all {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return string(b)
}

// numberText has the fewest digits that read back to v.
func numberText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
