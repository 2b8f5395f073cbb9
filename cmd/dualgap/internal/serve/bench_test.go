package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkPredict answers requests of images of clothing as JSON, 784 numbers each, by one goroutine, without the
// network. The weights come from no training: their values make no difference in time.
func BenchmarkPredict(b *testing.B) {
	_, test := samples.FashionMNIST[float32]()
	w := vec.NewMatrix[float32](test.X.Cols, len(test.Classes))
	for j := range w.Data {
		w.Data[j] = float32(j%7) - 3
	}
	m, err := linear.New(w, nil, test.Classes)
	if err != nil {
		b.Fatal(err)
	}
	p, err := predictor.New(&model.Model[float32]{Linear: m})
	if err != nil {
		b.Fatal(err)
	}
	c := limits()
	c.MaxBody = 32 << 20
	h := New(p, c).Handler()
	for _, rows := range []int{1, 100} {
		var body bytes.Buffer
		body.WriteString(`{"rows":[`)
		for i := range rows {
			if i > 0 {
				body.WriteByte(',')
			}
			for j, v := range test.X.Row(i) {
				body.WriteByte("[,"[min(j, 1)])
				fmt.Fprint(&body, v)
			}
			body.WriteByte(']')
		}
		body.WriteString("]}")
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			in := bytes.NewReader(nil)
			b.ReportAllocs()
			b.SetBytes(int64(body.Len()))
			for b.Loop() {
				in.Reset(body.Bytes())
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/predict", in))
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
