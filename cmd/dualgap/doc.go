// Command dualgap trains models, and predicts, evaluates, inspects and converts with them.
package main
