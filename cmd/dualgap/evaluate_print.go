package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// print writes the report as text. names are the names of the classes.
func (r *report) print(w io.Writer, names []string) error {
	var told facts
	r.facts(func(name, format string, values ...any) { row(&told, name, format, values...) })
	if err := told.print(w); err != nil {
		return err
	}
	r.printClasses(w)
	return r.printConfusion(w, names)
}

// facts tells the measures one by one: what it is, and how its value is written.
func (r *report) facts(tell func(name, format string, values ...any)) {
	line := func(name string, v *float64) {
		if v != nil {
			tell(name, "%.5f", *v)
		}
	}
	tell("examples", "%d", r.Examples)
	if r.Unknown > 0 {
		tell("unknown labels", "%d, which count as missed", r.Unknown)
	}
	if r.LeftOut > 0 {
		tell("unknown nonzeros", "%d, in columns beyond the model's features", r.LeftOut)
	}
	line("accuracy", r.Accuracy)
	for k := 1; k < len(r.TopK); k++ {
		line(fmt.Sprintf("top-%d accuracy", k+1), &r.TopK[k])
	}
	line("mean recall", r.MeanRecall)
	if r.Calibration != nil {
		line("calibration error", &r.Calibration.Error)
		if was := r.Calibration.Uncalibrated; was != nil {
			line("  uncalibrated", &was.Error)
		}
	}
	line("Hamming loss", r.HammingLoss)
	line("sets without a fault", r.Faultless)
	line("micro F1", r.MicroF1)
	line("macro F1", r.MacroF1)
	line("ranking loss", r.RankingLoss)
	for k := range r.PrecisionAt {
		line(fmt.Sprintf("precision of the first %d", k+1), &r.PrecisionAt[k])
	}
	if n := r.numbersReport; n != nil {
		line("mean squared error", &n.SquaredError)
		line("mean absolute error", &n.AbsoluteError)
		line("R²", &n.R2)
	}
	if r.ByQuery != nil {
		r.ByQuery.facts(tell)
	}
	m := r.Ranking
	if m == nil {
		return
	}
	tell("positive examples", "%d", m.Positive)
	tell("above all negative ones", "%d", m.First)
	for _, at := range m.At {
		line(fmt.Sprintf("precision at recall %v", at.Recall), &at.Precision)
	}
	line("average precision", &m.PRArea)
	line("area below ROC", m.ROCArea)
	if m.Threshold != nil {
		tell(fmt.Sprintf("at the threshold %.6g", *m.Threshold), "%d predicted as positive, %d of them are", m.Above,
			m.Right)
	}
}

func (r *report) printClasses(w io.Writer) {
	if r.Classes == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nclass\texamples\tpredicted\tcorrect\tprecision\trecall\tF1\t")
	for _, c := range r.Classes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\n", c.Name, c.Count, c.Predicted, c.Correct, c.Precision,
			c.Recall, c.F1)
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
