// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels as programs have them that allocate while they run.
// clang-format off

namespace program_kdtree {
struct KdNode { float split; int axis; KdNode *left, *right; int* items; int n; };
__device__ KdNode* build(const float* xyz, int* idx, int n, int depth) {
  KdNode* node = new KdNode;  // who=part same=grid bytes=40 escapes
  node->axis = depth % 3;
  node->left = node->right = nullptr;
  if (n <= 8 || depth > 20) {
    node->items = new int[n];  // who=part same=thread escapes
    node->n = n;
    for (int k = 0; k < n; ++k) node->items[k] = idx[k];
    return node;
  }
  float mean = 0;
  for (int k = 0; k < n; ++k) mean += xyz[3 * idx[k] + node->axis];
  node->split = mean / n;
  int l = 0, r = n - 1;
  while (l <= r) {
    if (xyz[3 * idx[l] + node->axis] < node->split) ++l;
    else { int t = idx[l]; idx[l] = idx[r]; idx[r--] = t; }
  }
  node->left = build(xyz, idx, l, depth + 1);
  node->right = build(xyz, idx + l, n - l, depth + 1);
  return node;
}
__global__ void forest(const float* xyz, int* idx, const int* offsets, KdNode** roots, int trees) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < trees) roots[t] = build(xyz, idx + offsets[t], offsets[t + 1] - offsets[t], 0);
}
}  // namespace program_kdtree

namespace program_adjacency {
struct Adj { int* to; int size, cap; };
__device__ void adj_init(Adj* a) { a->to = (int*)malloc(4 * sizeof(int)); a->size = 0; a->cap = 4; }  // who=guarded same=grid bytes=16 escapes freed
__device__ void adj_push(Adj* a, int v) {
  if (a->size == a->cap) {
    int* bigger = (int*)malloc(2 * a->cap * sizeof(int));  // who=part same=thread escapes freed loop
    memcpy(bigger, a->to, a->size * sizeof(int));
    free(a->to);
    a->to = bigger;
    a->cap *= 2;
  }
  a->to[a->size++] = v;
}
__global__ void symmetrise(const int* row, const int* col, Adj* adj, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  adj_init(&adj[v]);
  for (int e = row[v]; e < row[v + 1]; ++e)
    if (col[e] != v) adj_push(&adj[v], col[e]);
}
}  // namespace program_adjacency

namespace program_priority_queue {
struct Item { float key; int id; };
class PriorityQueue {
  Item* heap;
  int size, capacity;
 public:
  __device__ explicit PriorityQueue(int cap) : size(0), capacity(cap) { heap = new Item[cap]; }  // who=guarded same=grid freed
  __device__ ~PriorityQueue() { delete[] heap; }
  __device__ bool empty() const { return size == 0; }
  __device__ void push(float key, int id) {
    if (size == capacity) return;
    int k = size++;
    while (k > 0 && heap[(k - 1) / 2].key > key) { heap[k] = heap[(k - 1) / 2]; k = (k - 1) / 2; }
    heap[k].key = key; heap[k].id = id;
  }
  __device__ Item pop() {
    Item top = heap[0], last = heap[--size];
    int k = 0;
    while (2 * k + 1 < size) {
      int c = 2 * k + 1;
      if (c + 1 < size && heap[c + 1].key < heap[c].key) ++c;
      if (heap[c].key >= last.key) break;
      heap[k] = heap[c]; k = c;
    }
    heap[k] = last;
    return top;
  }
};
__global__ void dijkstra(const int* row, const int* col, const float* w, float* dist, int n, int sources) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sources) return;
  PriorityQueue q(n);
  float* d = dist + (size_t)s * n;
  d[s] = 0;
  q.push(0, s);
  while (!q.empty()) {
    Item it = q.pop();
    if (it.key > d[it.id]) continue;
    for (int e = row[it.id]; e < row[it.id + 1]; ++e) {
      float nd = it.key + w[e];
      if (nd < d[col[e]]) { d[col[e]] = nd; q.push(nd, col[e]); }
    }
  }
}
}  // namespace program_priority_queue

namespace program_edit_distance {
__global__ void levenshtein(const char* a, const int* a_off, const char* b, const int* b_off, int* out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  int la = a_off[i + 1] - a_off[i], lb = b_off[i + 1] - b_off[i];
  int* prev = (int*)malloc((lb + 1) * sizeof(int));  // who=guarded same=thread freed
  int* cur = (int*)malloc((lb + 1) * sizeof(int));  // who=guarded same=thread freed
  if (prev == NULL || cur == NULL) { free(prev); free(cur); out[i] = -1; return; }
  for (int j = 0; j <= lb; ++j) prev[j] = j;
  for (int r = 1; r <= la; ++r) {
    cur[0] = r;
    for (int j = 1; j <= lb; ++j) {
      int cost = a[a_off[i] + r - 1] == b[b_off[i] + j - 1] ? 0 : 1;
      cur[j] = min(min(cur[j - 1] + 1, prev[j] + 1), prev[j - 1] + cost);
    }
    int* t = prev; prev = cur; cur = t;
  }
  out[i] = prev[lb];
  free(prev);
  free(cur);
}
}  // namespace program_edit_distance

namespace program_neighbours {
__global__ void neighbours(const float4* pos, int** lists, int* counts, int n, float r2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 p = pos[i];
    int count = 0;
    for (int j = 0; j < n; ++j) {
      float dx = pos[j].x - p.x, dy = pos[j].y - p.y, dz = pos[j].z - p.z;
      if (j != i && dx * dx + dy * dy + dz * dz < r2) ++count;
    }
    counts[i] = count;
    lists[i] = count ? new int[count] : nullptr;  // who=part same=thread escapes
    int k = 0;
    for (int j = 0; j < n && lists[i]; ++j) {
      float dx = pos[j].x - p.x, dy = pos[j].y - p.y, dz = pos[j].z - p.z;
      if (j != i && dx * dx + dy * dy + dz * dz < r2) lists[i][k++] = j;
    }
  }
}
}  // namespace program_neighbours

namespace program_hash_join {
struct Page { Page* next; int used; int2 rows[126]; };
__device__ Page* volatile pages;
__device__ Page* new_page() {
  Page* p = (Page*)malloc(sizeof(Page));  // who=part same=grid bytes=1024 escapes loop
  if (!p) return nullptr;
  p->used = 0;
  unsigned long long old = (unsigned long long)pages, seen;
  do {
    seen = old;
    p->next = (Page*)seen;
    old = atomicCAS((unsigned long long*)&pages, seen, (unsigned long long)p);
  } while (old != seen);
  return p;
}
__global__ void probe(const int* keys, int n, const int* table, const int* next, const int* build, int mask) {
  Page* page = nullptr;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    for (int e = table[keys[i] & mask]; e >= 0; e = next[e]) {
      if (build[e] != keys[i]) continue;
      if (!page || page->used == 126) page = new_page();
      if (!page) return;
      page->rows[page->used++] = make_int2(i, e);
    }
  }
}
}  // namespace program_hash_join

namespace program_linked_stack {
template <class T> class Stack {
  struct Node { T v; Node* below; };
  Node* top_;
 public:
  __device__ Stack() : top_(nullptr) {}
  __device__ ~Stack() { while (top_) pop(); }
  __device__ bool empty() const { return !top_; }
  __device__ void push(T v) { Node* n = new Node; n->v = v; n->below = top_; top_ = n; }  // who=part same=grid bytes=16 freed loop
  __device__ T pop() { Node* n = top_; T v = n->v; top_ = n->below; delete n; return v; }
};
__global__ void dfs(const int* row, const int* col, int* seen, int n) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  Stack<int> stack;
  stack.push(s);
  int* mine = seen + (size_t)s * n;
  while (!stack.empty()) {
    int v = stack.pop();
    if (mine[v]) continue;
    mine[v] = 1;
    for (int e = row[v]; e < row[v + 1]; ++e) if (!mine[col[e]]) stack.push(col[e]);
  }
}
}  // namespace program_linked_stack

namespace program_monte_carlo {
struct Rng { unsigned s; __device__ float next() { s = s * 1664525u + 1013904223u; return (s >> 8) * (1.f / 16777216.f); } };
__global__ void asian(float* price, int steps, int paths, float s0, float v, float r, float k) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float* path = new float[steps + 1];  // who=grid same=grid freed
  Rng rng{(unsigned)tid * 7919u + 1};
  float sum = 0;
  for (int p = 0; p < paths; ++p) {
    path[0] = s0;
    for (int t = 0; t < steps; ++t) path[t + 1] = path[t] * expf((r - v * v / 2) / steps + v * (rng.next() - 0.5f));
    float mean = 0;
    for (int t = 1; t <= steps; ++t) mean += path[t];
    sum += fmaxf(mean / steps - k, 0.f);
  }
  price[tid] = sum / paths;
  delete[] path;
}
}  // namespace program_monte_carlo

namespace program_persistent {
struct Job { int kind, size; float* data; };
__device__ unsigned next_job;
__global__ void persistent(Job* jobs, unsigned n, float** results) {
  __shared__ unsigned at;
  __shared__ float* buffer;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) at = atomicAdd(&next_job, 1u);
    __syncthreads();
    unsigned mine = at;
    if (mine >= n) return;
    if (threadIdx.x == 0) buffer = (float*)malloc(jobs[mine].size * sizeof(float));  // who=one same=block shared escapes loop
    __syncthreads();
    for (int k = threadIdx.x; k < jobs[mine].size; k += blockDim.x) buffer[k] = jobs[mine].data[k] * 2;
    __syncthreads();
    if (threadIdx.x == 0) results[mine] = buffer;
  }
}
}  // namespace program_persistent

namespace program_warp_aggregated {
__device__ char* warp_alloc(int bytes) {
  unsigned active = __activemask();
  int lane = threadIdx.x & 31;
  int leader = __ffs(active) - 1;
  int total = 0, before = 0;
  for (int l = 0; l < 32; ++l) {
    if (!(active >> l & 1)) continue;
    int b = __shfl_sync(active, bytes, l);
    if (l < lane) before += b;
    total += b;
  }
  char* base = nullptr;
  if (lane == leader) base = (char*)malloc(total);  // who=part same=warp|thread escapes shared
  base = (char*)__shfl_sync(active, (unsigned long long)base, leader);
  return base ? base + before : nullptr;
}
__global__ void compact(const int* sizes, char** out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && sizes[i] > 0) out[i] = warp_alloc(sizes[i]);
}
}  // namespace program_warp_aggregated

namespace program_suffix_list {
struct Suffix { int at; Suffix* next; };
__device__ int compare(const char* t, int n, int a, int b) { while (a < n && b < n && t[a] == t[b]) { ++a; ++b; } return a >= n ? -1 : b >= n ? 1 : t[a] - t[b]; }
__global__ void buckets(const char* text, int n, Suffix** heads) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < 256; c += gridDim.x * blockDim.x) {
    Suffix* head = NULL;
    for (int k = 0; k < n; ++k) {
      if ((unsigned char)text[k] != c) continue;
      Suffix* s = (Suffix*)malloc(sizeof(Suffix));  // who=part same=grid bytes=16 escapes loop
      s->at = k;
      Suffix** link = &head;
      while (*link && compare(text, n, (*link)->at, k) < 0) link = &(*link)->next;
      s->next = *link;
      *link = s;
    }
    heads[c] = head;
  }
}
}  // namespace program_suffix_list

namespace program_vector_struct_of_rows {
struct Row { int n; int* cols; double* vals; };
struct Csr { int rows; Row* row; };
__global__ void spgemm(Csr a, Csr b, Csr c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.rows) return;
  int upper = 0;
  for (int k = 0; k < a.row[i].n; ++k) upper += b.row[a.row[i].cols[k]].n;
  c.row[i].cols = (int*)malloc(upper * sizeof(int));  // who=guarded same=thread escapes
  c.row[i].vals = (double*)malloc(upper * sizeof(double));  // who=guarded same=thread escapes
  int used = 0;
  for (int k = 0; k < a.row[i].n; ++k) {
    const Row& r = b.row[a.row[i].cols[k]];
    for (int j = 0; j < r.n; ++j) {
      int at = 0;
      while (at < used && c.row[i].cols[at] != r.cols[j]) ++at;
      if (at == used) { c.row[i].cols[used] = r.cols[j]; c.row[i].vals[used++] = 0; }
      c.row[i].vals[at] += a.row[i].vals[k] * r.vals[j];
    }
  }
  c.row[i].n = used;
}
}  // namespace program_vector_struct_of_rows

namespace program_two_dim_image {
__global__ void median2d(const unsigned char* in, unsigned char* out, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int side = 2 * radius + 1;
  unsigned char* win = new unsigned char[side * side];  // who=guarded|part same=grid freed
  int k = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      win[k++] = in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
  for (int a = 0; a <= k / 2; ++a) for (int b = a + 1; b < k; ++b) if (win[b] < win[a]) { unsigned char t = win[a]; win[a] = win[b]; win[b] = t; }
  out[y * w + x] = win[k / 2];
  delete[] win;
}
}  // namespace program_two_dim_image

namespace program_block_scratch_flat_id {
__global__ void block_scratch(const float* in, float* out, int n) {
  __shared__ float* tmp;
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  if (tid == 0) tmp = (float*)malloc(n * sizeof(float));  // who=one|part same=grid shared freed
  __syncthreads();
  if (tmp == NULL) return;
  for (int k = tid; k < n; k += blockDim.x * blockDim.y) tmp[k] = in[k];
  __syncthreads();
  if (tid < n) out[tid] = tmp[n - 1 - tid];
  __syncthreads();
  if (tid == 0) free(tmp);
}
}  // namespace program_block_scratch_flat_id

namespace program_bignum {
struct Big { unsigned* limb; int n;
  __device__ void init(int k) { limb = new unsigned[k]; n = k; for (int i = 0; i < k; ++i) limb[i] = 0; }  // who=guarded same=grid freed
  __device__ void release() { delete[] limb; }
  __device__ void add(const Big& o) { unsigned long long c = 0; for (int i = 0; i < n; ++i) { c += (unsigned long long)limb[i] + o.limb[i]; limb[i] = (unsigned)c; c >>= 32; } } };
__device__ void fib(Big* a, Big* b, int steps) { for (int k = 0; k < steps; ++k) { a->add(*b); Big t = *a; *a = *b; *b = t; } }
__global__ void bignums(unsigned* out, const int* steps, int limbs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Big a, b;
  a.init(limbs); b.init(limbs);
  a.limb[0] = b.limb[0] = 1;
  fib(&a, &b, steps[i]);
  out[i] = b.limb[0];
  a.release(); b.release();
}
}  // namespace program_bignum

namespace program_trie {
struct Trie { Trie* child[26]; int count; };
__global__ void insert_words(Trie* root, const char* words, const int* off, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Trie* at = root;
  for (int k = off[i]; k < off[i + 1]; ++k) {
    Trie** slot = &at->child[words[k] - 'a'];
    if (*slot == nullptr) {
      Trie* fresh = new Trie();  // who=part same=grid bytes=216 escapes freed loop
      Trie* old = (Trie*)atomicCAS((unsigned long long*)slot, 0ull, (unsigned long long)fresh);
      if (old) delete fresh;
    }
    at = *slot;
  }
  atomicAdd(&at->count, 1);
}
}  // namespace program_trie

namespace program_particles_growing_soa {
struct Particles { float *x, *y; int n, cap; };
__device__ void grow(Particles& p, int cap) {
  float* nx = (float*)malloc(cap * sizeof(float));  // who=part|guarded same=thread escapes freed loop
  float* ny = (float*)malloc(cap * sizeof(float));  // who=part|guarded same=thread escapes freed loop
  for (int k = 0; k < p.n; ++k) { nx[k] = p.x[k]; ny[k] = p.y[k]; }
  free(p.x); free(p.y);
  p.x = nx; p.y = ny; p.cap = cap;
}
__global__ void emit(Particles* cells, const float2* in, const int* first, int cells_n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cells_n) return;
  Particles p = {nullptr, nullptr, 0, 0};
  for (int k = first[c]; k < first[c + 1]; ++k) {
    if (p.n == p.cap) grow(p, max(16, 2 * p.cap));
    p.x[p.n] = in[k].x; p.y[p.n] = in[k].y; ++p.n;
  }
  cells[c] = p;
}
}  // namespace program_particles_growing_soa
