// Package exchange writes models as files of other programs, and reads these: ONNX, with the operators for classical
// models that scikit-learn's converter writes, and safetensors.
//
//	err := exchange.WriteONNX(file, r.Model, exchange.ONNXOptions{}) // of a Result of topk
//	m, told, err := exchange.ReadONNX(file)
//	err = exchange.WriteSafetensors(file, r.Model)
//	single, double, err := exchange.ReadSafetensors(file)
//
// The names of classes, the scaling of examples and the notes of a model, its certificate among them, go with it: as
// operators and labels where the format has some, and as metadata, by which the model comes back as it was.
// docs/exchange.md has what maps to what. A model without an equivalent is an error that says why.
//
// Files are believed nothing: a size is checked before memory is taken for it, and whatever is not a sound model is an
// error.
package exchange
