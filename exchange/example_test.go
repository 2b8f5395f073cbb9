package exchange_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// fruit is a model of two classes, with a note of how its training ended.
func fruit() *model.Model[float32] {
	m, err := linear.New(vec.MatrixOf(2, 2, []float32{-1, 1, 1, -1}), nil, []string{"apple", "pear"})
	if err != nil {
		log.Fatal(err)
	}
	return &model.Model[float32]{Linear: m.WithNotes(map[string]string{"outcome": "relative gap 7.5e-04"})}
}

// A LinearClassifier with the names of its classes, for a runtime of ONNX, and read again.
func ExampleWriteONNX() {
	var file bytes.Buffer // or a file
	if err := exchange.WriteONNX(&file, fruit(), exchange.ONNXOptions{}); err != nil {
		log.Fatal(err)
	}
	m, told, err := exchange.ReadONNX(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(told.Decision, m.Names(), m.Notes()["outcome"])
	// Output: classes [apple pear] relative gap 7.5e-04
}

// The weights as a tensor of outputs by features, as PyTorch has them.
func ExampleWriteSafetensors() {
	var file bytes.Buffer // or a file
	if err := exchange.WriteSafetensors(&file, fruit()); err != nil {
		log.Fatal(err)
	}
	size := int(file.Bytes()[0]) + int(file.Bytes()[1])<<8
	header := bytes.TrimSpace(file.Bytes()[8 : 8+size])
	fmt.Printf("%s\n", header[bytes.LastIndex(header, []byte("\"weight")):])
	// Output: "weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}
}

func ExampleReadSafetensors() {
	var file bytes.Buffer // or a file
	if err := exchange.WriteSafetensors(&file, fruit()); err != nil {
		log.Fatal(err)
	}
	single, double, err := exchange.ReadSafetensors(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(single.Names(), double == nil)
	// Output: [apple pear] true
}

// A StandardScaler and a LogisticRegression of scikit-learn, as its converter writes them: a Scaler, a
// LinearClassifier, and a ZipMap, which makes a sequence of maps of the probabilities. Here a label and numbers come
// back.
func ExampleReadONNX_scikitLearn() {
	file, err := os.Open("testdata/pipeline.hex")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	p, err := predictor.Read(hexadecimal(file)) // predictor.Open, of a file's name
	if err != nil {
		log.Fatal(err)
	}
	q, err := p.Predict([]float64{3, 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Classes(), q.Label, q.Scores)
	// Output: [no yes] yes [-1.5 1.5]
}

// hexadecimal reads the bytes of a text of hexadecimal numbers, each line with a comment.
func hexadecimal(r io.Reader) io.Reader {
	var all strings.Builder
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		numbers, _, _ := strings.Cut(lines.Text(), "#")
		all.WriteString(strings.Join(strings.Fields(numbers), ""))
	}
	return hex.NewDecoder(strings.NewReader(all.String()))
}
