//go:build !(amd64 || arm64) || purego

package sort

// Without assembly each kernel is its twin.

func NetworkI32(dst, src *int32, n int, form int)   { networkGeneric(dst, src, n, form) }
func NetworkI64(dst, src *int64, n int, form int)   { networkGeneric(dst, src, n, form) }
func ConvertI32(dst, src *int32, n int, form int)   { convertGeneric(dst, src, n, form) }
func ConvertI64(dst, src *int64, n int, form int)   { convertGeneric(dst, src, n, form) }
func PackI32(dst *int64, x *int32, n int, form int) { packGeneric(dst, x, n, form) }
func PackI64(dst *int64, x *int64, n int, form int) { packGeneric(dst, x, n, form) }
func UnpackI64(idx *int32, src *int64, n int) int   { return unpackI64Generic(idx, src, n) }
func PivotI32(src *int32, n int) int32              { return pivotGeneric(src, n) }
func PivotI64(src *int64, n int) int64              { return pivotGeneric(src, n) }

func PartitionI32(x *int32, n int, pivot int32) int { return partitionGeneric(x, n, pivot) }
func PartitionI64(x *int64, n int, pivot int64) int { return partitionGeneric(x, n, pivot) }

func ZipI32(dst *int64, x, payload *int32, n int, form int) { zipI32Generic(dst, x, payload, n, form) }

func UnzipI32(x, payload *int32, src *int64, n int, form int) {
	unzipI32Generic(x, payload, src, n, form)
}
