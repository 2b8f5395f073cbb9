package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// print writes the report as text. names are those of the classes.
func (r *report) print(w io.Writer, names []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, v *float64) {
		if v != nil {
			fmt.Fprintf(t, "%s\t%.5f\n", name, *v)
		}
	}
	fmt.Fprintf(t, "examples\t%d\n", r.Examples)
	if r.Unknown > 0 {
		fmt.Fprintf(t, "unknown labels\t%d, which count as missed\n", r.Unknown)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(t, "unknown nonzeros\t%d, in columns beyond the model's features\n", r.LeftOut)
	}
	line("accuracy", r.Accuracy)
	for k := 1; k < len(r.TopK); k++ {
		line(fmt.Sprintf("top-%d accuracy", k+1), &r.TopK[k])
	}
	line("mean recall", r.MeanRecall)
	if r.Calibration != nil {
		line("calibration error", &r.Calibration.Error)
	}
	line("Hamming loss", r.HammingLoss)
	line("sets without a fault", r.Faultless)
	line("micro F1", r.MicroF1)
	line("macro F1", r.MacroF1)
	line("ranking loss", r.RankingLoss)
	for k := range r.PrecisionAt {
		line(fmt.Sprintf("precision of the first %d", k+1), &r.PrecisionAt[k])
	}
	r.Ranking.print(t, line)
	if err := t.Flush(); err != nil {
		return err
	}
	r.printClasses(w)
	return r.printConfusion(w, names)
}

func (m *ranking) print(t io.Writer, line func(string, *float64)) {
	if m == nil {
		return
	}
	fmt.Fprintf(t, "positive examples\t%d\n", m.Positive)
	fmt.Fprintf(t, "above all negative ones\t%d\n", m.First)
	for _, at := range m.At {
		line(fmt.Sprintf("precision at recall %v", at.Recall), &at.Precision)
	}
	line("average precision", &m.PRArea)
	line("area below ROC", m.ROCArea)
	if m.Threshold != nil {
		fmt.Fprintf(t, "at the threshold %.6g\t%d predicted as positive, %d of them are\n", *m.Threshold, m.Above, m.Right)
	}
}

func (r *report) printClasses(w io.Writer) {
	if r.Classes == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nclass\texamples\tpredicted\tcorrect\tprecision\trecall\tF1\t")
	for _, c := range r.Classes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\n", c.Name, c.Count, c.Predicted, c.Correct, c.Precision, c.Recall, c.F1)
	}
	t.Flush()
}

func (r *report) printConfusion(w io.Writer, names []string) error {
	if r.Confusion == nil {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\ntrue \\ predicted\t")
	for _, name := range names {
		fmt.Fprint(t, name, "\t")
	}
	for c, row := range r.Confusion {
		fmt.Fprintf(t, "\n%s\t", names[c])
		for _, v := range row {
			fmt.Fprint(t, v, "\t")
		}
	}
	fmt.Fprintln(t)
	return t.Flush()
}
