// Loops around SLEEF's functions with an error of at most one unit in the last place (u10). SLEEF knows vectors, not
// arrays: n must be a multiple of the vector's length. A file that includes this names its target before, since the headers
// declare only what the target has.

#include <immintrin.h>
#include <sleef.h>

#define LOOP(name, T, lanes, load, store, f)                                 \
	void name(long iters, int n, const T *x, T *y) {                         \
		while (iters-- > 0)                                                  \
			for (int i = 0; i < n; i += lanes) store(y + i, f(load(x + i))); \
	}
