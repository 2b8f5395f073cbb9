package lookup

import (
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// scene holds the arguments of any kernel here. Small integers fill it, so that every order of additions gives one
// result.
type scene struct {
	g      int       // subspaces, or rows of x and y
	dst    []float32 // also d
	codes  []byte
	f32    []float32 // table, b, or x
	i16    []int16   // table, b, or dst
	u8     []uint8   // table, or dst
	scale  []float32 // or low
	high   []float32 // or inverse
	rows   []uint16
	order  []uint16
	second []float32 // y
}

// kernel describes one kernel to the tests.
type kernel struct {
	name string
	make func(r *rand.Rand, g int) *scene
	run  func(s *scene)
	want func(s *scene) // the loop of the doc comment, in float64
	top  int            // the largest g tried beyond the small ones
}

func ints[T int8 | int16 | uint8 | float32](r *rand.Rand, n, low, high int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(low + r.IntN(high-low+1))
	}
	return x
}

// sumScene is what the sums read; width is the width of a line.
func sumScene(r *rand.Rand, g, width int) *scene {
	return &scene{g: g, dst: ints[float32](r, Rows*width, -9, 9), codes: ints[uint8](r, g*Rows, 0, 255)}
}

// listScene draws lists of all lengths, empty ones and one long one among them, of rows of b.
func listScene(r *rand.Rand, g, width int) *scene {
	s := &scene{g: g, dst: ints[float32](r, Rows*width, -9, 9), order: make([]uint16, 2*Rows)}
	for k, c := range r.Perm(Rows) {
		fours := r.IntN(3)
		if k == 77 {
			fours = g
		}
		s.order[2*k], s.order[2*k+1] = uint16(c), uint16(fours)
		for range 4 * fours {
			s.rows = append(s.rows, uint16(r.IntN(8*g+1)))
		}
	}
	return s
}

func kernels() []kernel {
	sum := func(name string, width int, run func(dst *float32, codes *byte, nq int, table *float32, laterCodes,
		later *byte, ahead int)) kernel {
		return kernel{
			name: name, top: 40,
			make: func(r *rand.Rand, g int) *scene {
				s := sumScene(r, g, width)
				s.f32 = ints[float32](r, g*Rows*width, -99, 99)
				return s
			},
			run: func(s *scene) { run(ptr(s.dst), ptr(s.codes), s.g, ptr(s.f32), ptr(s.codes), ptr(s.codes), s.g) },
			want: func(s *scene) {
				s.sum(width, nil, func(line, j int) float64 { return float64(s.f32[line*width+j]) })
			},
		}
	}
	scatter := func(name string, width int, run func(d *float32, codes *byte, nq int, a *float32,
		laterCodes *byte)) kernel {
		return kernel{
			name: name, top: 40,
			make: func(r *rand.Rand, g int) *scene {
				s := sumScene(r, g, width)
				s.f32, s.dst = s.dst, ints[float32](r, g*Rows*width, -99, 99)
				return s
			},
			run:  func(s *scene) { run(ptr(s.dst), ptr(s.codes), s.g, ptr(s.f32), ptr(s.codes)) },
			want: func(s *scene) { s.scatter(width) },
		}
	}
	gather := func(name string, width int, run func(d *float32, rows, order *uint16, b *float32)) kernel {
		return kernel{
			name: name, top: 40,
			make: func(r *rand.Rand, g int) *scene {
				s := listScene(r, g, width)
				s.f32 = ints[float32](r, (8*g+1)*width, -99, 99)
				return s
			},
			run: func(s *scene) { run(ptr(s.dst), ptr(s.rows), ptr(s.order), ptr(s.f32)) },
			want: func(s *scene) {
				s.collect(width, nil, func(row, j int) float64 { return float64(s.f32[row*width+j]) })
			},
		}
	}
	return []kernel{
		sum("Sum16", 16, Sum16), sum("Sum8", 8, Sum8), sum("Sum1", 1, Sum1),
		{
			name: "Sum32I16", top: 64,
			make: func(r *rand.Rand, g int) *scene {
				s := sumScene(r, g, 32)
				s.i16, s.scale = ints[int16](r, g*Rows*32, -32767/max(g, 1), 32767/max(g, 1)),
					ints[float32](r, 32, 1, 7)
				return s
			},
			run:  func(s *scene) { Sum32I16(ptr(s.dst), ptr(s.codes), s.g, ptr(s.i16), ptr(s.scale), nil, nil, s.g) },
			want: func(s *scene) { s.sum(32, s.scale, func(line, j int) float64 { return float64(s.i16[line*32+j]) }) },
		},
		{
			name: "Sum64U8", top: 257,
			make: func(r *rand.Rand, g int) *scene {
				s := sumScene(r, g, 64)
				s.u8, s.scale = ints[uint8](r, g*Rows*64, 200, 255), ints[float32](r, 64, 1, 7)
				return s
			},
			run: func(s *scene) { Sum64U8(ptr(s.dst), ptr(s.codes), s.g, ptr(s.u8), ptr(s.scale), nil, nil, s.g) },
			want: func(s *scene) {
				s.sum(64, s.scale, func(line, j int) float64 { return float64(s.u8[line*64+2*(j%32)+j/32]) })
			},
		},
		scatter("Scatter8", 8, Scatter8), scatter("Scatter1", 1, Scatter1),
		gather("Collect16", 16, Collect16),
		{
			name: "Collect32I16", top: 40,
			make: func(r *rand.Rand, g int) *scene {
				s := listScene(r, g, 32)
				s.i16, s.scale = ints[int16](r, (8*g+1)*32, -8191, 8191), ints[float32](r, 32, 1, 7)
				return s
			},
			run: func(s *scene) { Collect32I16(ptr(s.dst), ptr(s.rows), ptr(s.order), ptr(s.i16), ptr(s.scale)) },
			want: func(s *scene) {
				s.collect(32, s.scale, func(row, j int) float64 { return float64(s.i16[row*32+j]) })
			},
		},
		{
			name: "Range16", top: 300,
			make: func(r *rand.Rand, g int) *scene {
				return &scene{g: g, f32: ints[float32](r, 16*g, -1000, 1000), dst: ints[float32](r, 16, -1100, 1100),
					high: ints[float32](r, 16, -1100, 1100)}
			},
			run: func(s *scene) { Range16(ptr(s.dst), ptr(s.high), ptr(s.f32), s.g) },
			want: func(s *scene) {
				for i, v := range s.f32 {
					s.dst[i%16], s.high[i%16] = min(s.dst[i%16], v), max(s.high[i%16], v)
				}
			},
		},
		{
			name: "QuantizeI16", top: 300,
			make: func(r *rand.Rand, g int) *scene {
				return &scene{
					g: g, f32: ints[float32](r, 16*g, -40000, 40000), i16: make([]int16, g*stride),
					scale: ints[float32](r, 16, -3, 3), high: ints[float32](r, 16, 1, 2),
				}
			},
			run: func(s *scene) { QuantizeI16(ptr(s.i16), stride, ptr(s.f32), s.g, ptr(s.scale), ptr(s.high)) },
			want: func(s *scene) {
				for i, v := range s.f32 {
					s.i16[i/16*stride+i%16] = int16(min(max((v-s.scale[i%16])*s.high[i%16], -32768), 32767))
				}
			},
		},
		{
			name: "QuantizeU8", top: 300,
			make: func(r *rand.Rand, g int) *scene {
				return &scene{
					g: g, f32: ints[float32](r, 16*g, -20, 280), second: ints[float32](r, 16*g, -20, 280),
					u8:    make([]uint8, g*stride),
					scale: ints[float32](r, 32, -3, 3), high: ints[float32](r, 32, 1, 2),
				}
			},
			run: func(s *scene) {
				QuantizeU8(ptr(s.u8), stride, ptr(s.f32), ptr(s.second), s.g, ptr(s.scale), ptr(s.high))
			},
			want: func(s *scene) {
				for b, x := range [][]float32{s.f32, s.second} {
					for i, v := range x {
						s.u8[i/16*stride+2*(i%16)+b] = uint8(min(max((v-s.scale[16*b+i%16])*s.high[16*b+i%16], 0), 255))
					}
				}
			},
		},
	}
}

// stride is the stride of the quantized rows, whose gaps must stay.
const stride = 45

// sum is the loop of the sums.
func (s *scene) sum(width int, scale []float32, entry func(line, j int) float64) {
	for i := range Rows {
		for j := range width {
			var total float64
			for q := range s.g {
				total += entry(q*Rows+int(s.codes[q*Rows+i]), j)
			}
			s.add(i*width+j, total, scale, j)
		}
	}
}

// scatter is the loop of the scatters.
func (s *scene) scatter(width int) {
	total := make([]float64, len(s.dst))
	for i := range Rows {
		for q := range s.g {
			for j := range width {
				total[(q*Rows+int(s.codes[q*Rows+i]))*width+j] += float64(s.f32[i*width+j])
			}
		}
	}
	for i, t := range total {
		s.add(i, t, nil, 0)
	}
}

// collect is the loop of the lists.
func (s *scene) collect(width int, scale []float32, entry func(row, j int) float64) {
	p := 0
	for k := range Rows {
		c, n := int(s.order[2*k]), 4*int(s.order[2*k+1])
		for j := range width {
			var total float64
			for _, row := range s.rows[p : p+n] {
				total += entry(int(row), j)
			}
			s.add(c*width+j, total, scale, j)
		}
		p += n
	}
}

func (s *scene) add(i int, total float64, scale []float32, j int) {
	if scale != nil {
		total *= float64(scale[j])
	}
	s.dst[i] = float32(float64(s.dst[i]) + total)
}

func ptr[T any](x []T) *T { return unsafe.SliceData(x) }

// copyOf is a scene with its own memory, each slice of it given by move.
func (s *scene) copyOf(move func(bytes int) unsafe.Pointer) *scene {
	c := *s
	for _, p := range []*[]float32{&c.dst, &c.f32, &c.scale, &c.high, &c.second} {
		*p = moved(*p, move)
	}
	c.codes, c.u8, c.i16 = moved(s.codes, move), moved(s.u8, move), moved(s.i16, move)
	c.rows, c.order = moved(s.rows, move), moved(s.order, move)
	return &c
}

func moved[T any](x []T, move func(bytes int) unsafe.Pointer) []T {
	if len(x) == 0 {
		return x
	}
	y := unsafe.Slice((*T)(move(len(x)*int(unsafe.Sizeof(x[0])))), len(x))
	copy(y, x)
	return y
}

// same reports whether two scenes hold the same bits, NaNs of any kind being one.
func same(a, b *scene) bool {
	for i, x := range [][]float32{a.dst, a.f32, a.scale, a.high, a.second} {
		for j, v := range [][]float32{b.dst, b.f32, b.scale, b.high, b.second}[i] {
			if !prove.Same(x[j], v) {
				return false
			}
		}
	}
	return string(a.codes) == string(b.codes) && string(a.u8) == string(b.u8) && equal(a.i16, b.i16) &&
		equal(a.rows, b.rows) && equal(a.order, b.order)
}

func equal[T comparable](a, b []T) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}
