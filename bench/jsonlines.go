package main

import (
	"encoding/json"
	"io"
)

// jsonLines prints one object a line, its kind first.
type jsonLines struct{ *json.Encoder }

func (j jsonLines) info(i Info) error {
	return j.Encode(struct {
		Kind       string   `json:"kind"`
		CPU        string   `json:"cpu"`
		Tier       string   `json:"tier"`
		Why        string   `json:"why"`
		Tiers      []string `json:"tiers"`
		VectorBits int      `json:"vector_bits"`
		L1d        int      `json:"l1d"` // bytes
		L2         int      `json:"l2"`
		L3         int      `json:"l3"`
		Go         string   `json:"go"`
		Platform   string   `json:"platform"`
	}{"info", i.CPU.Name, i.CPU.Tier, i.CPU.Why, i.CPU.Tiers, i.CPU.VectorBits, i.CPU.L1d, i.CPU.L2, i.CPU.L3, i.Go, i.Platform})
}

func (j jsonLines) kernel(single, double Kernel) error {
	for _, k := range []Kernel{single, double} {
		err := j.Encode(struct {
			Kind    string  `json:"kind"`
			Name    string  `json:"name"`
			Type    string  `json:"type"`
			M       int     `json:"m,omitempty"`
			N       int     `json:"n"`
			K       int     `json:"k,omitempty"`
			NS      float64 `json:"ns"`
			GBps    float64 `json:"gbps"`
			GoNS    float64 `json:"go_ns,omitempty"`
			GonumNS float64 `json:"gonum_ns,omitempty"`
			XGo     float64 `json:"x_go,omitempty"` // how many times faster
			XGonum  float64 `json:"x_gonum,omitempty"`
		}{"kernel", k.Name, k.Type, k.M, k.N, k.K, k.NS, k.GBps, k.GoNS, k.GonumNS, k.GoNS / k.NS, k.GonumNS / k.NS})
		if err != nil {
			return err
		}
	}
	return nil
}

// problem prints nothing: every model tells its problem.
func (j jsonLines) problem(*problem) error { return nil }

func (j jsonLines) model(p *problem, m Model) error {
	return j.Encode(struct {
		Kind        string    `json:"kind"`
		Data        string    `json:"data"`
		Type        string    `json:"type"`
		N           int       `json:"n"`
		Tests       int       `json:"tests"`
		D           int       `json:"d"`
		M           int       `json:"m"`
		Loss        string    `json:"loss"`
		K           int       `json:"k"`
		Lambda      float64   `json:"lambda"`
		Tol         float64   `json:"tol"`
		Seed        uint64    `json:"seed"`
		Status      string    `json:"status"`
		Primal      float64   `json:"primal"`
		Dual        float64   `json:"dual"`
		RelativeGap float64   `json:"relative_gap"`
		Epochs      int       `json:"epochs"`
		Seconds     float64   `json:"seconds"`
		Accuracy    []float64 `json:"accuracy"` // top-1, top-2, ... on the test examples
		Chance      []float64 `json:"chance"`
		Against     []float64 `json:"against_k1,omitempty"` // accuracy less that of k = 1
	}{
		"train", p.name, "float32", p.n, p.tests, p.d, p.m, m.Loss.String(), m.K, p.lambda, p.tol, p.seed, m.Status.String(),
		m.Certificate.Primal, m.Certificate.Dual, m.Certificate.RelativeGap(), m.Epochs, m.Seconds, m.Accuracy, p.chance(), m.Against,
	})
}

// zeroShotProblem prints nothing: every method tells its problem.
func (j jsonLines) zeroShotProblem(*zeroShot) error { return nil }

func (j jsonLines) zeroShot(z *zeroShot, m ZeroShot) error {
	var names []string
	for _, c := range unseen {
		names = append(names, z.classes[c])
	}
	return j.Encode(struct {
		Kind       string   `json:"kind"`
		Unseen     []string `json:"unseen"`
		Attributes []string `json:"attributes"`
		Method     string   `json:"method"`
		C          float64  `json:"c"`
		Hamming    float64  `json:"hamming_loss"`
		Named      float64  `json:"named"`
		Seconds    float64  `json:"seconds"`
	}{"zeroshot", names, z.names, m.Method, m.C, m.Hamming, m.Named, m.Seconds})
}

// manyKernelsProblem prints nothing: every machine tells its problem.
func (j jsonLines) manyKernelsProblem(*manyKernels) error { return nil }

func (j jsonLines) manyKernels(m *manyKernels, k ManyKernels) error {
	return j.Encode(struct {
		Kind    string  `json:"kind"`
		N       int     `json:"n"`
		Tests   int     `json:"tests"`
		P       float64 `json:"p"`
		C       float64 `json:"c"`
		Share   float64 `json:"share"`
		Right   float64 `json:"right"`
		Gap     float64 `json:"relative_gap"`
		Seconds float64 `json:"seconds"`
	}{"manykernels", len(m.y), len(m.testY), k.P, manyC, k.Share, k.Accuracy, k.Gap, k.Seconds})
}

func newJSONLines(w io.Writer) jsonLines { return jsonLines{json.NewEncoder(w)} }
