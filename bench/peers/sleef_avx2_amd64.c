#pragma GCC target("avx2,fma")
#include "sleef_loop.h"

LOOP(expf_avx2, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, Sleef_expf8_u10avx2)
LOOP(logf_avx2, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, Sleef_logf8_u10avx2)
LOOP(expd_avx2, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, Sleef_expd4_u10avx2)
LOOP(logd_avx2, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, Sleef_logd4_u10avx2)
