// FAISS's exact index and hnswlib's graph, for calls from Go. Each runs on one thread.

#include <cstdint>
#include <exception>

#include <omp.h>

#include <faiss/IndexFlat.h>
#include <hnswlib/hnswlib.h>

extern "C" {

// A flat index of n rows of d numbers, by squared distance or by product; nullptr on an error.
void *flat_new(int d, int64_t n, const float *x, int product) {
  try {
    omp_set_num_threads(1);
    auto *index = new faiss::IndexFlat(d, product ? faiss::METRIC_INNER_PRODUCT : faiss::METRIC_L2);
    index->add(n, x);
    return index;
  } catch (const std::exception &) {
    return nullptr;
  }
}

void flat_search(const void *index, int64_t m, const float *q, int k, float *dist, int64_t *idx) {
  static_cast<const faiss::IndexFlat *>(index)->search(m, q, k, dist, idx);
}

void flat_free(void *index) { delete static_cast<faiss::IndexFlat *>(index); }

// A graph for squared distances.
struct Graph {
  hnswlib::L2Space space;
  hnswlib::HierarchicalNSW<float> index;
  Graph(int d, int64_t n, int links, int construction) : space(d), index(&space, n, links, construction) {}
};

void *graph_new(int d, int64_t n, const float *x, int links, int construction) {
  try {
    auto *g = new Graph(d, n, links, construction);
    for (int64_t i = 0; i < n; i++) g->index.addPoint(x + i * d, i);
    return g;
  } catch (const std::exception &) {
    return nullptr;
  }
}

// Writes the numbers of the k rows found for each of m queries, the nearest last.
void graph_search(void *graph, int64_t m, int d, const float *q, int k, int effort, int64_t *idx) {
  auto *g = static_cast<Graph *>(graph);
  g->index.setEf(effort);
  for (int64_t i = 0; i < m; i++) {
    auto found = g->index.searchKnn(q + i * d, k);
    for (int j = 0; j < k; j++) {
      idx[i * k + j] = -1;
      if (!found.empty()) {
        idx[i * k + j] = found.top().second;
        found.pop();
      }
    }
  }
}

void graph_free(void *graph) { delete static_cast<Graph *>(graph); }
}
