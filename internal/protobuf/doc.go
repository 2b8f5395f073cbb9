// Package protobuf reads and writes the wire format of Protocol Buffers, field by field, without descriptions of
// messages: who reads a message asks each field for what it should hold.
//
//	for f, err := range protobuf.Fields(message) {
//		switch {
//		case err != nil:
//			return err
//		case f.Number == 1:
//			version, err = f.Int()
//		}
//	}
//
// A message is bytes that are in memory already. Nothing is believed of them: a length beyond the end, a number too
// long, or a field of another type is an error, and no memory is taken for more numbers than there are bytes.
package protobuf
