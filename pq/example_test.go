package pq_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// vectors returns n vectors of 32 dimensions around 40 centres.
func vectors(n int) vec.Matrix[float32] {
	r := rand.New(rand.NewPCG(1, 2))
	x := vec.NewMatrix[float32](n, 32)
	for i := range n {
		for t := range 32 {
			x.Row(i)[t] = float32((i%40*(t+3)*7)%23) + float32(r.NormFloat64())
		}
	}
	return x
}

func ExampleTrain() {
	x := vectors(2000)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 8, Iterations: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	codes := make([]byte, x.Rows*q.CodeSize())
	if err := q.Encode(codes, x, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d vectors of %d bytes in %d bytes each\n", x.Rows, 4*q.D(), q.CodeSize())
	// Output: 2000 vectors of 128 bytes in 8 bytes each
}

func ExampleIndex() {
	x := vectors(2000)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 8, NBits: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := pq.NewIndex(q, pq.L2)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := index.Add(x, 0); err != nil {
		fmt.Println(err)
		return
	}
	// By codes, then by the vectors themselves: the nearest to a vector is itself.
	found, err := index.Search(nil, x.Row(123), pq.Search{K: 1, Candidates: 100, Vector: pq.Rows(x)})
	fmt.Println(found, err)
	// Output: [{123 0}] <nil>
}

func ExampleTable() {
	x := vectors(1000)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 16, NBits: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	codes := make([]byte, 3*q.CodeSize())
	if err := q.Encode(codes, x.Slice(0, 3, 0, 32), 1); err != nil {
		fmt.Println(err)
		return
	}
	t := q.NewTable()
	if err := t.SetCode(pq.L2, codes[:q.CodeSize()]); err != nil {
		fmt.Println(err)
		return
	}
	dist := make([]float32, 3)
	if err := t.Scan(dist, codes); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dist[0], dist[1] > 0, dist[2] > 0)
	// Output: 0 true true
}

func ExampleReadQuantizer() {
	q, err := pq.Train(context.Background(), vectors(300), pq.Config{M: 8, NBits: 4, Iterations: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if _, err := q.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	same, err := pq.ReadQuantizer(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(same.D(), same.M(), same.NBits())
	// Output: 32 8 4
}

func ExampleConfig_errors() {
	_, err := pq.Train(context.Background(), vectors(200), pq.Config{M: 8})
	fmt.Println(err)
	_, err = pq.Train(context.Background(), vectors(300), pq.Config{M: 5})
	fmt.Println(err)
	// Output:
	// pq: 200 training vectors for 256 centroids (NBits=8): at least one for each is needed
	// pq: d=32 is no multiple of M=5; Config.Uneven allows subspaces of two widths
}

func ExampleIndex_Certify() {
	x := vectors(2000)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := pq.NewIndexOf(q, pq.IndexConfig{Metric: pq.L2, Bounds: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := index.Add(x, 0); err != nil {
		fmt.Println(err)
		return
	}
	found, proof, err := index.Certify(nil, x.Row(123), pq.Search{K: 3, Vector: pq.Rows(x)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the nearest:", found[0])
	fmt.Println("proved:", proof.Gap() == 0, "with a part of the originals:", proof.Read < 200)

	// With a budget the proof says how far the answer may be from the nearest.
	_, proof, err = index.Certify(nil, x.Row(123), pq.Search{K: 3, Vector: pq.Rows(x), Budget: 3})
	fmt.Println("read:", proof.Read, "proved:", proof.Gap() == 0, err)
	// Output:
	// the nearest: {123 0}
	// proved: true with a part of the originals: true
	// read: 3 proved: false <nil>
}
