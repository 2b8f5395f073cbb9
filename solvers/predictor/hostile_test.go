package predictor

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// soundModels are files of models in all formats, by their names: the committed ones, and what is written of some.
func soundModels(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, dir := range []string{"linear", "kernel", "kernel/bundle", "m3l"} {
		paths, err := filepath.Glob(filepath.Join("..", dir, "testdata", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Read(bytes.NewReader(b)); err == nil {
				files[dir+"/"+filepath.Base(path)] = b
			}
		}
	}
	for _, name := range []string{"pipeline", "svc", "oneclass", "svr", "regression", "linearsvc"} {
		files[name+".onnx"] = onnxFile(t, name)
	}
	for _, name := range []string{"linear/named32.bin", "kernel/dense32.bin", "kernel/sparse64.bin"} {
		single, double, err := model.ReadAny(bytes.NewReader(files[name]))
		var tensors, text bytes.Buffer
		switch {
		case err != nil:
			t.Fatal(err)
		case single == nil:
			err = exchange.WriteSafetensors(&tensors, double)
		case single.Kernel != nil:
			err = exchange.WriteSafetensors(&tensors, single)
			if err == nil {
				err = single.Kernel.WriteLIBSVM(&text, 0, [2]int{1, -1})
			}
			files[name+".libsvm"] = text.Bytes()
		default:
			err = exchange.WriteSafetensors(&tensors, single)
			if err == nil {
				err = single.Linear.WriteLIBLINEAR(&text, linear.LIBLINEAROptions{})
			}
			files[name+".liblinear"] = text.Bytes()
		}
		if err != nil {
			t.Fatal(name, err)
		}
		files[name+".safetensors"] = tensors.Bytes()
	}
	if len(files) < 20 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// answers has a model predict an example, if that is small.
func answers(t testing.TB, p *Predictor) {
	d, outputs := p.Dims()
	if d > 1<<12 || outputs > 1<<12 {
		return
	}
	if _, err := p.Predict(make([]float64, d)); err != nil {
		t.Log(err)
	}
}

// TestHostile: no damage of a model's file, with checksums that are right or not, makes Read panic or take memory that
// the bytes do not explain; what is read answers. A model takes its numbers a few times, its names and notes likewise.
func TestHostile(t *testing.T) {
	for name, file := range soundModels(t) {
		r := damage.Reader{Name: name, File: file, Form: damage.Binary, N: 200,
			Limit: damage.Limit{Base: 1 << 21, PerByte: 64}, Read: func(t testing.TB, file []byte) error {
				p, err := Read(bytes.NewReader(file))
				if err == nil {
					answers(t, p)
				}
				return err
			}}
		switch Format(file[:min(16, len(file))]) {
		case Dualgap:
			r.Seal = containertest.Sealed
		case LIBLINEAR, LIBSVM:
			r.Form = damage.Text
		}
		r.Run(t)
		if Format(file[:min(16, len(file))]) == Safetensors {
			r.Name, r.Form = r.Name+", as text", damage.Text
			r.Run(t)
		}
	}
}

// TestManyOutputs: a file of a few hundred bytes says that a model without support vectors has a great many outputs.
func TestManyOutputs(t *testing.T) {
	for _, outputs := range []int{1<<20 + 1, 1<<31 - 1} {
		var b bytes.Buffer
		w := container.NewWriter(&b, "kernel", 1)
		w.Ints("size", 7, 3, 0, outputs, 1)
		w.Strings("name", nil)
		w.Map("note", nil)
		w.Ints("kern", 1)
		container.Floats(w, "para", []float64(nil))
		w.Ints("supp")
		container.WriteMatrix(w, "a", vec.Matrix[float32]{Rows: 0, Cols: outputs, Stride: outputs})
		container.WriteMatrix(w, "x", vec.Matrix[float32]{Rows: 0, Cols: 3, Stride: 3})
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		damage.Defused(t, "outputs", 1<<18, func() error {
			_, err := Read(bytes.NewReader(b.Bytes()))
			if err != nil && !strings.Contains(err.Error(), "outputs without a support vector") {
				t.Error(err)
			}
			return err
		})
	}
}

// TestBomb: of a packed file ReadAtMost unpacks no more than it may, whatever the format; and a model that is no longer
// is read.
func TestBomb(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	const size, most = 64 << 20, 1 << 20
	file := soundModels(t)["linear/named32.bin"]
	for name, bomb := range map[string][]byte{
		"dualgap":   damage.Bomb(t, string(file), "\x00\x00\x00\x00", "", size),
		"LIBLINEAR": damage.Bomb(t, "solver_type L2R_LR nr_class 2 label 1 2 nr_feature 99999999 w\n", "1\n", "", size),
		"LIBSVM": damage.Bomb(t, "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 99999999\nrho 0\n"+
			"label 1 2\nnr_sv 99999998 1\nSV\n", "1 1:1\n", "", size),
		"ONNX":        damage.Bomb(t, string(onnxFile(t, "svc")), "\x00\x00\x00\x00", "", size),
		"safetensors": damage.Bomb(t, "\x00\x00\x00\x04\x00\x00\x00\x00{", "        ", "", size),
	} {
		damage.Defused(t, name, 64*most, func() error {
			_, err := ReadAtMost(bytes.NewReader(bomb), most)
			if err != nil && !strings.Contains(err.Error(), "1048576") {
				t.Errorf("%s: %v", name, err)
			}
			return err
		})
	}
	for _, extra := range []int64{0, 1} {
		if _, err := ReadAtMost(io.MultiReader(bytes.NewReader(file)), int64(len(file))+extra); err != nil {
			t.Error(err)
		}
	}
	if _, err := ReadAtMost(bytes.NewReader(file), int64(len(file))-1); err == nil {
		t.Error("a model that is a byte too long is read")
	}
	if _, err := ReadAtMost(bytes.NewReader(file), -1); err == nil {
		t.Error("-1 bytes")
	}
}

// FuzzRead: whatever the bytes, with checksums that are right, the answer is an error or a model that answers.
func FuzzRead(f *testing.F) {
	for name, file := range soundModels(f) {
		form := damage.Binary
		if strings.HasSuffix(name, "libsvm") || strings.HasSuffix(name, "liblinear") {
			form = damage.Text
		}
		for _, file := range damage.Seeds(file, form, 2) {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, file := range [][]byte{file, containertest.Sealed(file)} {
			if p, err := ReadAtMost(bytes.NewReader(file), 1<<20); err == nil {
				answers(t, p)
			}
		}
	})
}
