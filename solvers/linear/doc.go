// Package linear holds the model of every linear family: weights W, d-by-m, which give an example x the scores xᵀ W + b
// of m outputs, classes or labels.
//
//	m, err := linear.New(w, bias, []string{"cat", "dog"}) // w is d-by-2
//	class := m.Names()[m.Predict(x)]                      // of one example
//	_, err = m.WriteTo(file)
//	m, err = linear.Read[float32](file)
//	err = m.WriteLIBLINEAR(text, linear.LIBLINEAROptions{Labels: []int{-1, 1}})
//
// Trainers return a [Model]; [New] makes one of weights that come from elsewhere, and [ReadLIBLINEAR] of LIBLINEAR's
// text. A Model is a solvers.Scorer: solvers.Predict, solvers.TopK and solvers.LabelSets answer for many examples.
package linear
