package exchange

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/internal/damage"
)

// file is one of safetensors with this header and data of zeros.
func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

// A file as other programs write it, of a linear layer of PyTorch, in each type of numbers.
func TestForeignSafetensors(t *testing.T) {
	half := []byte{0, 0x3c, 0, 0xc0, 1, 0, 0xff, 0x7b, 0, 0x38, 0, 0x80} // 1, -2, 2^-24, 65504, .5, -0
	brain := []byte{0x80, 0x3f, 0, 0xc0, 0x80, 0x33, 0, 0x47, 0, 0x3f, 0, 0x80}
	for dtype, data := range map[string][]byte{"F16": half, "BF16": brain} {
		header := `{"fc.bias":{"dtype":"` + dtype + `","shape":[2],"data_offsets":[8,12]},"fc.weight":{"dtype":"` +
			dtype + `","shape":[2,2],"data_offsets":[0,8]},"__metadata__":{"format":"pt"}}   `
		m, _, err := ReadSafetensors(bytes.NewReader(append(file(header, 0), data...)))
		if err != nil {
			t.Fatal(err)
		}
		w, b := m.Linear.Weights(), m.Linear.Bias()
		large := float32(65504)
		if dtype == "BF16" {
			large = 32768
		}
		if !slices.Equal(w.Data, []float32{1, 0x1p-24, -2, large}) || !slices.Equal(b, []float32{.5, 0}) ||
			m.Notes()["safetensors.format"] != "pt" {
			t.Errorf("%s: %v, %v, %v", dtype, w.Data, b, m.Notes())
		}
	}
	header := `{"weight":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}}`
	b := file(header, 0)
	for _, v := range []float64{math.Pi, -1} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	_, m, err := ReadSafetensors(bytes.NewReader(b))
	if err != nil || !slices.Equal(m.Linear.Weights().Data, []float64{math.Pi, -1}) || m.Linear.Bias() != nil {
		t.Error(m, err)
	}
}

// TestSafetensorsErrors: hostile headers, and tensors that are no model.
func TestSafetensorsErrors(t *testing.T) {
	entry := func(name, dtype, shape, offsets string) string {
		return `"` + name + `":{"dtype":"` + dtype + `","shape":` + shape + `,"data_offsets":` + offsets + `}`
	}
	weight := entry("weight", "F32", "[2,2]", "[0,16]")
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{nil, "the length of the header"},
		{[]byte("\x01\x00\x00"), "unexpected EOF"},
		{[]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "a header of 18446744073709551615 bytes"},
		{[]byte("\x01\x00\x00\x00\x00\x00\x00\x00{"), "a header of 1 bytes"},
		{[]byte("\xff\xe0\xf5\x05\x00\x00\x00\x00{}"), "unexpected EOF"},
		{file("[]", 0), `it begins with '['`},
		{file("{}x", 0), "behind it that are no blanks"},
		{file("{ ", 0), "the header"},
		{file(`{"a"`, 0), "EOF"},
		{file(`{"__metadata__":{"a":"b","a":"c"}}`, 0), "a name, once"},
		{file(`{"__metadata__":{"a":1}}`, 0), "cannot unmarshal"},
		{file(`{"__metadata__":[]}`, 0), "want an object"},
		{file("{"+weight+","+weight+"}", 16), "a name, once"},
		{file(`{"weight":null}`, 0), "want dtype, shape"},
		{file(`{"weight":{"dtype":"F32","shape":[2,2]}}`, 16), "two data_offsets"},
		{file("{"+entry("weight", "I8", "[2,2]", "[0,4]")+"}", 4), `type "I8"`},
		{file("{"+entry("weight", "F32", "[2,-2]", "[0,16]")+"}", 16), "beyond this machine's memory"},
		{file("{"+entry("weight", "F32", "[4611686018427387904,4]", "[0,16]")+"}", 16), "beyond this machine's memory"},
		{file("{"+entry("weight", "F32", "[4294967296,1073741824]", "[0,0]")+"}", 0), "beyond this machine's memory"},
		{file("{"+entry("weight", "F32", "[2,2]", "[0,12]")+"}", 16), "data_offsets 0 and 12 of 16 bytes"},
		{file("{"+entry("weight", "F32", "[2,2]", "[-4,12]")+"}", 16), "data_offsets -4"},
		{file("{"+entry("weight", "F32", "[2,2]", "[8,24]")+"}", 24), "begins at 8, want 0"},
		{file("{"+weight+","+entry("bias", "F32", "[2]", "[8,16]")+"}", 24), `"bias" begins at 8, want 16`},
		{file("{"+weight+"}", 12), "12 bytes of tensors"},
		{file("{"+weight+"}", 20), "17 bytes of tensors or more, want 16"},
		{file("{"+entry("weight", "F32", "[1048576,8]", "[0,33554432]")+"}", 5),
			"5 bytes of tensors or more, want 33554432"},
		{file("{"+entry("a", "F32", "[4]", "[0,16]")+"}", 16), "0 tensors named weight"},
		{file("{"+weight+","+entry("x.weight", "F32", "[0]", "[0,0]")+"}", 16), "2 tensors named weight"},
		{file("{"+weight+","+entry("other", "F32", "[1]", "[16,20]")+"}", 20), `"other" has no place`},
		{file("{"+weight+","+entry("bias", "F32", "[1,2]", "[16,24]")+"}", 24), "want 1 axes"},
		{file("{"+weight+","+entry("bias", "F32", "[1]", "[16,20]")+"}", 20), "1 offsets for 2 outputs"},
		{file("{"+weight+","+entry("bias", "I64", "[2]", "[16,32]")+"}", 32), "of I64, want floats"},
		{file("{"+entry("weight", "F32", "[0,4]", "[0,0]")+"}", 0), "shape [0 4]"},
		{append(file("{"+entry("weight", "F32", "[1,1]", "[0,4]")+"}", 0), "\x00\x00\xc0\x7f"...), "weight NaN"},
		{file(`{"__metadata__":{"dualgap":"2"}}`, 0), `version "2"`},
		{file(`{"__metadata__":{"dualgap":"1","model":"tree"}}`, 0), `the kind "tree"`},
		{file(`{"__metadata__":{"dualgap":"1","model":"linear"}}`, 0), `no tensor "weight"`},
		{file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"`+
			strings.Repeat("sum 1 1 ", 99)+`linear"}}`, 0), "is none"},
		{file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"sum 99999999"}}`, 0), "is none"},
		{file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"linear","features":"99999999999"}}`, 0),
			"2^31-1"},
		{file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"linear","features":"2147483648"}}`, 0),
			"2^31-1"},
	} {
		_, _, err := ReadSafetensors(bytes.NewReader(c.in))
		wants(t, err, c.want)
	}
	_, _, err := ReadSafetensors(nil)
	wants(t, err, "nil")
	_, _, err = ReadSafetensors(iotest.ErrReader(errors.New("broken")))
	wants(t, err, "broken")
}

// TestEmptyTensors: of a tensor without numbers the other size may say anything: it costs neither memory nor time.
func TestEmptyTensors(t *testing.T) {
	for _, outputs := range []string{"2147483647", "4611686018427387904"} {
		in := file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"linear","features":"3","examples":"1"},`+
			`"dual_coef":{"dtype":"F32","shape":[`+outputs+`,0],"data_offsets":[0,0]},"support":{"dtype":"I64",`+
			`"shape":[0],"data_offsets":[0,0]},"support_vectors":{"dtype":"F32","shape":[0,3],`+
			`"data_offsets":[0,0]}}`, 0)
		damage.Defused(t, outputs, 1<<18, func() error {
			_, _, err := ReadSafetensors(bytes.NewReader(in))
			return err
		})
	}
}

// Whatever byte is missing, or changed, is an error or gives a sound model.
func TestSafetensorsDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		var b bytes.Buffer
		if err := WriteSafetensors(&b, randomModel[float32](t, rng)); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		for n := 0; n < len(whole); n += 1 + n/50 {
			if _, _, err := ReadSafetensors(bytes.NewReader(whole[:n])); err == nil {
				t.Fatalf("%d of %d bytes are a model", n, len(whole))
			}
			other := bytes.Clone(whole)
			other[n] ^= byte(1 + rng.IntN(255))
			if m, _, err := ReadSafetensors(bytes.NewReader(other)); err == nil && m != nil {
				bits(t, m)
			}
		}
	}
}

// FuzzSafetensors: nothing panics, and what is read is written and read again as the same model.
func FuzzSafetensors(f *testing.F) {
	layer := file(`{"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}`, 16)
	for k, form := range []damage.Form{damage.Text, damage.Binary} {
		for _, in := range damage.Seeds(layer, form, 16+k) {
			f.Add(in)
		}
	}
	f.Add(file(`{"__metadata__":{"dualgap":"1","model":"low rank"},"u":{"dtype":"F64","shape":[1,1],`+
		`"data_offsets":[0,8]},"v":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]}}`, 16))
	f.Add(file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"sum 2 1 gaussian 2 .5 constant 1",`+
		`"features":"3","examples":"1"},"dual_coef":{"dtype":"F32","shape":[1,1],`+
		`"data_offsets":[20,24]},"support":{"dtype":"I64",`+
		`"shape":[1],"data_offsets":[0,8]},"support_vectors":{"dtype":"F32","shape":[1,3],"data_offsets":[8,20]}}`, 24))
	f.Add(file(`{"__metadata__":{"dualgap":"1","model":"kernel","kernel":"linear","features":"9","examples":"1"},`+
		`"dual_coef":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"support":{"dtype":"I64","shape":[1],`+
		`"data_offsets":[4,12]},"support_vectors.crow_indices":{"dtype":"I64","shape":[2],"data_offsets":[12,28]},`+
		`"support_vectors.col_indices":{"dtype":"I64","shape":[0],"data_offsets":[28,28]},`+
		`"support_vectors.values":{"dtype":"F32","shape":[0],"data_offsets":[28,28]}}`, 28))
	f.Fuzz(func(t *testing.T, in []byte) {
		single, double, err := ReadSafetensors(bytes.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if single != nil {
			err = WriteSafetensors(&b, single)
		} else {
			err = WriteSafetensors(&b, double)
		}
		if err != nil {
			t.Fatal(err)
		}
		one, other, err := ReadSafetensors(&b)
		switch {
		case err != nil:
			t.Fatalf("what was written is not read: %v", err)
		case single != nil && !bytes.Equal(bits(t, one), bits(t, single)),
			double != nil && !bytes.Equal(bits(t, other), bits(t, double)):
			t.Fatal("another model when it is written again")
		}
	})
}
