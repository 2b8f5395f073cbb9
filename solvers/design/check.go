package design

import (
	"fmt"
	"reflect"

	"github.com/dualgap/dualgap/vec"
)

// Check returns the number of examples of x and of their features, or an error where x is nil or a nil pointer,
// or where it has a method CheckSizes() error that returns one. Storages offer that whose fields anybody can fill: as
// literals they may not fit together.
func Check[T vec.Float](x Matrix[T]) (n, d int, err error) {
	if v := reflect.ValueOf(x); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, 0, fmt.Errorf("design: no examples: the Matrix is nil")
	}
	if x, ok := x.(interface{ CheckSizes() error }); ok {
		if err := x.CheckSizes(); err != nil {
			return 0, 0, fmt.Errorf("design: %w", err)
		}
	}
	n, d = x.Dims()
	return n, d, nil
}
