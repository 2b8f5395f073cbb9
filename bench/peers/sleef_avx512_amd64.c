#pragma GCC target("avx512f,fma")
#include "sleef_loop.h"

LOOP(expf_avx512, float, 16, _mm512_loadu_ps, _mm512_storeu_ps, Sleef_expf16_u10avx512f)
LOOP(logf_avx512, float, 16, _mm512_loadu_ps, _mm512_storeu_ps, Sleef_logf16_u10avx512f)
LOOP(expd_avx512, double, 8, _mm512_loadu_pd, _mm512_storeu_pd, Sleef_expd8_u10avx512f)
LOOP(logd_avx512, double, 8, _mm512_loadu_pd, _mm512_storeu_pd, Sleef_logd8_u10avx512f)
