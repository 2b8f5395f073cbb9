// Package onnx has the messages of an ONNX file that models of this library need: a graph of nodes with attributes,
// its inputs and outputs, operator sets and metadata. Tensors, subgraphs and what else the format has are known by
// their presence only. Field numbers are the ones of onnx.proto3.
package onnx
