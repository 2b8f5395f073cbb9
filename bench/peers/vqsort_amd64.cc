// Loops around Highway's vqsort. Each call sorts the next of several vectors, after a copy, as ours do.

#include <cstddef>
#include <cstring>

#include "hwy/contrib/sort/vqsort.h"
#include "hwy/targets.h"

namespace {

template <typename T>
void Loop(long iters, int n, int turns, int at, const T* from, T* x) {
  static const hwy::Sorter sorter;
  for (; iters > 0; iters--, at = (at + 1) % turns) {
    std::memcpy(x, from + static_cast<size_t>(at) * n, n * sizeof(T));
    sorter(x, n, hwy::SortAscending());
  }
}

}  // namespace

extern "C" {

void vqsort_f32(long iters, int n, int turns, int at, const float* from, float* x) { Loop(iters, n, turns, at, from, x); }
void vqsort_f64(long iters, int n, int turns, int at, const double* from, double* x) { Loop(iters, n, turns, at, from, x); }

// Lets Highway choose among all targets, or none better than AVX2.
void vqsort_avx2_only(int on) {
  hwy::SetSupportedTargetsForTest(0);
  if (on) {
    const auto all = hwy::SupportedTargets();
    hwy::SetSupportedTargetsForTest(all & ~(HWY_AVX2 - 1));
  }
}
}
