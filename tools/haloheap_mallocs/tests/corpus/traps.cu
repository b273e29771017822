// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels at which an analysis may go wrong: each was answered too well, or not at all, before it stood here, or is near
// one that was. clang-format would move answers away from their allocations.
// clang-format off

namespace trap_join_params {
__global__ void k(int** out, int n, int m) {
  int len = (threadIdx.x & 1) ? n : m;
  out[threadIdx.x] = new int[len];  // who=grid same=thread escapes
}
}  // namespace trap_join_params

namespace trap_join_params_if {
__global__ void k(const int* keys, int** out, int n, int m) {
  int len = n;
  if (keys[threadIdx.x] > 0) len = m;
  out[threadIdx.x] = new int[len];  // who=grid same=thread escapes
}
}  // namespace trap_join_params_if

namespace trap_grow_from_param {
__global__ void k(const int* wanted, float** out, int n) {
  int length = n;
  while (length < wanted[threadIdx.x]) length *= 2;
  out[threadIdx.x] = new float[length];  // who=grid same=thread escapes
}
}  // namespace trap_grow_from_param

namespace trap_probe_from_param {
__device__ int probe(const int* table, int start) {
  for (int s = start;; ++s) if (table[s * 32 + threadIdx.x] == 0) return s;
}
__global__ void k(const int* table, float** out, int start) {
  int s = probe(table, start);
  out[threadIdx.x] = new float[s];  // who=grid same=thread escapes
}
}  // namespace trap_probe_from_param

namespace trap_count_with_continue {
__global__ void k(const int* keys, int** out, int n) {
  int count = 0;
  for (int k = 0; k < n; ++k) {
    if (keys[k * blockDim.x + threadIdx.x] < 0) continue;
    ++count;
  }
  out[threadIdx.x] = new int[count];  // who=grid same=thread escapes
}
}  // namespace trap_count_with_continue

namespace trap_value_at_break {
__global__ void k(const int* keys, int** out, int n) {
  int found = 4;
  for (int k = 0; k < n; ++k) {
    if (keys[k * blockDim.x + threadIdx.x] == 0) {
      found = k;
      break;
    }
  }
  out[threadIdx.x] = new int[found];  // who=grid same=thread escapes
}
}  // namespace trap_value_at_break

namespace trap_pointer_at_break {
__global__ void k(const int* keys, int** out, int n) {
  int* p = nullptr;
  for (int k = 0; k < n; ++k) {
    if (keys[k] == 7) {
      p = new int[4];  // who=grid same=grid bytes=16 escapes loop
      break;
    }
  }
  out[threadIdx.x] = p;
}
}  // namespace trap_pointer_at_break

namespace trap_outparam_early_return {
__device__ bool get(int*& p, int n) {
  if (n > 0) {
    p = new int[8];  // who=grid same=grid bytes=32 escapes
    return true;
  }
  return false;
}
__global__ void k(int** out, int n) {
  int* p = nullptr;
  if (get(p, n)) out[threadIdx.x] = p;
}
}  // namespace trap_outparam_early_return

namespace trap_bump_early_return {
__device__ void bump(const int* keys, int& m) {
  if (keys[threadIdx.x] < 0) return;
  ++m;
}
__global__ void k(const int* keys, int** out) {
  int m = 4;
  bump(keys, m);
  out[threadIdx.x] = new int[m];  // who=grid same=thread most=20 escapes
}
}  // namespace trap_bump_early_return

namespace trap_goto_skip {
__global__ void k(const int* keys, int** out) {
  if (keys[threadIdx.x] < 0) goto done;
  out[threadIdx.x] = new int[4];  // who=part loop same=grid bytes=16 escapes
done:
  __syncthreads();
}
}  // namespace trap_goto_skip

namespace trap_continue_in_switch {
__global__ void k(const int* keys, int** out, int n) {
  for (int k = 0; k < n; ++k) {
    switch (keys[k * blockDim.x + threadIdx.x]) {
      case 0: continue;
      default: break;
    }
    out[k * blockDim.x + threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes loop
  }
}
}  // namespace trap_continue_in_switch

namespace trap_fallthrough_break {
__global__ void k(const int* keys, int** out, int mode) {
  switch (mode) {
    case 0:
      if (keys[threadIdx.x] < 0) break;
    case 1:
      out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
      break;
  }
}
}  // namespace trap_fallthrough_break

namespace trap_fallthrough_size {
__global__ void k(const int* keys, int** out, int mode) {
  int len = 1;
  switch (mode) {
    case 2: len += 4;
    case 1: if (keys[threadIdx.x]) break; len += 2;
    default: len += 1;
  }
  out[threadIdx.x] = new int[len];  // who=grid same=thread most=32 escapes
}
}  // namespace trap_fallthrough_size

namespace trap_forever_alloc_first {
__global__ void k(int** slots) {
  for (;;) {
    slots[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes loop
    if (slots[threadIdx.x] != nullptr) break;
  }
}
}  // namespace trap_forever_alloc_first

namespace trap_forever_node_cas {
struct Node { int v; Node* next; };
__global__ void k(const int* keys, Node** heads) {
  while (true) {
    Node* node = new Node;  // who=part same=grid bytes=16 escapes freed loop
    Node* old = heads[0];
    node->next = old;
    if (atomicCAS((unsigned long long*)&heads[0], (unsigned long long)old, (unsigned long long)node) == (unsigned long long)old) break;
    delete node;
  }
}
}  // namespace trap_forever_node_cas

namespace trap_comment_in_assignment {
__global__ void k(int** out) {
  out[threadIdx.x] =  // the table of this thread
      new int[4];  // who=grid same=grid bytes=16 escapes
}
}  // namespace trap_comment_in_assignment

namespace trap_comment_in_assignment_freed {
__global__ void k(int** out, const int* keys) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes freed
  if (keys[0]) { delete[] p; return; }
  out[threadIdx.x] = /* for the host */ p;
}
}  // namespace trap_comment_in_assignment_freed

namespace trap_macro_store {
#define STORE(slot, v) ((slot) = (v))
__global__ void k(int** out) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  STORE(out[threadIdx.x], p);
}
#undef STORE
}  // namespace trap_macro_store

namespace trap_macro_new {
#define NEW_ARRAY(T, n) new T[n]
__global__ void k(int n) {
  int* p = NEW_ARRAY(int, n);  // who=grid same=grid freed
  p[0] = 1;
  delete[] p;
}
#undef NEW_ARRAY
}  // namespace trap_macro_new

namespace trap_macro_deref {
#define VAL(p) (*(p))
__global__ void k(int** out) {
  int mine = threadIdx.x;
  int* p = &mine;
  out[threadIdx.x] = new int[VAL(p)];  // who=grid most=4092 same=thread escapes
}
#undef VAL
}  // namespace trap_macro_deref

namespace trap_macro_inc {
#define INC(x) ++(x)
__global__ void k(const int* keys, int** out) {
  int n = 1;
  if (keys[threadIdx.x]) INC(n);
  out[threadIdx.x] = new int[n];  // who=grid same=thread most=8 escapes
}
#undef INC
}  // namespace trap_macro_inc

namespace trap_macro_compound {
#define BUMP(x, d) x += d
__global__ void k(const int* keys, int** out) {
  int n = 1;
  BUMP(n, keys[threadIdx.x]);
  out[threadIdx.x] = new int[n];  // who=grid same=thread escapes
}
#undef BUMP
}  // namespace trap_macro_compound

namespace trap_asm_lane {
__device__ unsigned lane_id() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__global__ void k(int** out) {
  if (lane_id() == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_asm_lane

namespace trap_structured_binding {
struct Range { int lo, hi; };
__device__ Range range_of(int t) { return Range{t, t + 3}; }
__global__ void k(int** out) {
  auto [lo, hi] = range_of(threadIdx.x);
  if (lo > 3) out[threadIdx.x] = new int[hi];  // who=part same=thread escapes
}
}  // namespace trap_structured_binding

namespace trap_external_outparam {
__device__ void rank_of(int* rank);
__global__ void k(int** out) {
  int rank = 0;
  rank_of(&rank);
  if (rank == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_external_outparam

namespace trap_external_outparam_ref {
__device__ void count_of(int& count);
__global__ void k(int** out) {
  int count;
  count_of(count);
  out[threadIdx.x] = new int[count];  // who=grid same=thread escapes
}
}  // namespace trap_external_outparam_ref

namespace trap_external_struct_address {
struct Matrix { int rows; float* v; };
__device__ void publish(Matrix* m);
__global__ void k() {
  Matrix m;
  m.v = new float[16];  // who=grid same=grid bytes=64 escapes freed
  publish(&m);
  delete[] m.v;
}
}  // namespace trap_external_struct_address

namespace trap_external_pointer_address {
__device__ void publish(int** p);
__global__ void k() {
  int* p = new int[16];  // who=grid same=grid bytes=64 escapes
  publish(&p);
}
}  // namespace trap_external_pointer_address

namespace trap_memcpy_struct_out {
struct Matrix { int rows; float* v; };
__global__ void k(Matrix* out) {
  Matrix m;
  m.v = new float[16];  // who=grid same=grid bytes=64 escapes
  memcpy(&out[threadIdx.x], &m, sizeof(m));
}
}  // namespace trap_memcpy_struct_out

namespace trap_memcpy_in {
__global__ void k(const char* in, int** out) {
  int n;
  memcpy(&n, in + 4 * threadIdx.x, sizeof n);
  out[threadIdx.x] = new int[n];  // who=grid same=thread escapes
}
}  // namespace trap_memcpy_in

namespace trap_memcmp_local {
__global__ void k(const int* keys, int** out) {
  int key = keys[threadIdx.x], zero = 0;
  if (memcmp(&key, &zero, 4) == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_memcmp_local

namespace trap_strlen_written {
__global__ void k(char* text, char** out) {
  text[threadIdx.x] = threadIdx.x ? 'a' : 0;
  out[threadIdx.x] = new char[strlen(text)];  // who=grid same=thread escapes
}
}  // namespace trap_strlen_written

namespace trap_default_member_init {
struct Ctx { unsigned tid = threadIdx.x; };
__global__ void k(int** out) {
  Ctx c;
  if (c.tid == 0) out[blockIdx.x] = new int[4];  // who=part|one same=grid bytes=16 escapes
}
}  // namespace trap_default_member_init

namespace trap_default_member_new {
struct Buf { int* p = new int[8];  // who=grid same=grid bytes=32 freed
  __device__ ~Buf() { delete[] p; } };
__global__ void k(int* out) {
  Buf b;
  out[threadIdx.x] = b.p[0];
}
}  // namespace trap_default_member_new

namespace trap_macro_for {
#define FOR(i, n) for (int i = 0; i < (n); ++i)
__global__ void k(const int* counts, int** out) {
  FOR(k, counts[threadIdx.x]) out[k] = new int[4];  // who=part same=grid bytes=16 escapes loop
}
#undef FOR
}  // namespace trap_macro_for

namespace trap_two_dim_row {
__global__ void k(const float* in, float* out) {
  __shared__ float* rows[8];
  if (threadIdx.x == 0) rows[threadIdx.y] = new float[64];  // who=part same=grid bytes=256 shared advice=each
  __syncthreads();
  out[threadIdx.x] = rows[threadIdx.y][threadIdx.x % 64];
}
}  // namespace trap_two_dim_row

namespace trap_two_dim_y0 {
__global__ void k(float* out) {
  __shared__ float* columns[32];
  if (threadIdx.y == 0) columns[threadIdx.x] = new float[64];  // who=warps|part same=grid bytes=256 shared advice=warp|each
  __syncthreads();
  out[threadIdx.x] = columns[threadIdx.x][threadIdx.y];
}
}  // namespace trap_two_dim_y0

namespace trap_shared_list_of_one {
struct Node { int v; Node* next; };
__global__ void k(const int* in, int* out, int n) {
  __shared__ Node* head;
  if (threadIdx.x == 0) {
    head = nullptr;
    for (int k = 0; k < n; ++k) {
      Node* node = new Node;  // who=one same=grid bytes=16 shared loop advice=each
      node->v = in[k]; node->next = head; head = node;
    }
  }
  __syncthreads();
  out[threadIdx.x] = head->v;
}
}  // namespace trap_shared_list_of_one

namespace trap_one_by_flag {
__global__ void k(float** out, bool only_one) {
  if (threadIdx.x != 0) {
    if (only_one) return;
  }
  out[threadIdx.x] = new float[64];  // who=part same=grid bytes=256 escapes
}
}  // namespace trap_one_by_flag

namespace trap_local_swap {
__global__ void k(int* out, int n) {
  float* cur = new float[16];  // who=grid same=grid bytes=64 freed
  cur[0] = n;
  for (int k = 0; k < n; ++k) {
    float* next = new float[16];  // who=grid same=grid bytes=64 freed loop advice=block
    for (int j = 0; j < 16; ++j) next[j] = cur[15 - j];
    delete[] cur;
    cur = next;
  }
  out[threadIdx.x] = cur[0];
  delete[] cur;
}
}  // namespace trap_local_swap

namespace trap_local_queue {
struct Item { int v; Item* next; };
__global__ void k(int* out, int n) {
  Item* head = new Item;  // who=grid same=grid bytes=16 freed
  head->v = n; head->next = nullptr;
  int sum = 0;
  while (head != nullptr) {
    Item* it = head;
    head = head->next;
    sum += it->v;
    if (it->v > 1) {
      Item* more = new Item;  // who=part same=grid bytes=16 freed loop advice=each
      more->v = it->v - 1; more->next = head; head = more;
    }
    delete it;
  }
  out[threadIdx.x] = sum;
}
}  // namespace trap_local_queue

namespace trap_local_half_freed {
struct Node { int v; Node* next; };
__global__ void k(const int* keys, int* out, int n) {
  Node* head = nullptr;
  for (int k = 0; k < n; ++k) {
    Node* p = new Node;  // who=grid same=grid bytes=16 freed loop advice=block
    p->v = keys[k];
    if (p->v < 0) { delete p; } else { p->next = head; head = p; }
  }
  out[threadIdx.x] = head ? head->v : 0;
}
}  // namespace trap_local_half_freed

namespace trap_local_two_of_a_helper {
__device__ int* make() { return new int[4]; }  // who=grid same=grid bytes=16 freed advice=block
__global__ void k(int* out) {
  int* a = make();
  int* b = make();
  a[0] = 1; b[0] = 2;
  out[threadIdx.x] = a[0] + b[0];
  delete[] a;
  delete[] b;
}
}  // namespace trap_local_two_of_a_helper

namespace trap_shuffle_width {
__global__ void k(const int* n, int** out) {
  int len = __shfl_sync(0xffffffff, n[threadIdx.x], 0, 8);
  out[threadIdx.x] = new int[len];  // who=grid same=thread escapes
}
}  // namespace trap_shuffle_width

namespace trap_recursion_tree {
struct Node { int key; Node *l, *r; };
__device__ Node* build(const int* cut, int lo, int hi) {
  if (lo >= hi) return nullptr;
  Node* n = new Node;  // who=part same=grid bytes=24 escapes
  int mid = cut[threadIdx.x + lo];
  n->key = mid;
  n->l = build(cut, lo, mid);
  n->r = build(cut, mid + 1, hi);
  return n;
}
__global__ void k(const int* cut, Node** out, int n) { out[threadIdx.x] = build(cut, 0, n); }
}  // namespace trap_recursion_tree

namespace trap_recursion_size {
__device__ void split(int n, int** out) {
  out[threadIdx.x] = new int[n];  // who=part same=thread escapes
  if (n > 4) split(n / 2 + threadIdx.x % 2, out);
}
__global__ void k(int n, int** out) { split(n, out); }
}  // namespace trap_recursion_size

namespace trap_lambda_to_template {
template <class F> __device__ void each(int n, F f) { for (int k = 0; k < n; ++k) f(k); }
__global__ void k(int** out, int n) {
  each(n, [=](int k) { out[k] = new int[4]; });  // who=grid same=grid bytes=16 escapes loop
}
}  // namespace trap_lambda_to_template

namespace trap_lambda_iife {
__global__ void k(int** out, int n) {
  int* p = [&] { return new int[4]; }();  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x] = p;
}
}  // namespace trap_lambda_iife

namespace trap_lambda_ref_param {
__global__ void k(int** out, const int* keys) {
  int n = 4;
  auto set = [&](int& m) { m = keys[threadIdx.x]; };
  set(n);
  out[threadIdx.x] = new int[n];  // who=grid same=thread escapes
}
}  // namespace trap_lambda_ref_param

namespace trap_lambda_by_value {
__global__ void k(int** out) {
  int n = threadIdx.x;
  auto f = [n] { return new int[n]; };  // who=grid same=thread most=4092 escapes
  n = 4;
  out[threadIdx.x] = f();
}
}  // namespace trap_lambda_by_value

namespace trap_functor {
struct Put { int** out; __device__ void operator()(int* p) const { out[threadIdx.x] = p; } };
__global__ void k(int** out) {
  Put put{out};
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  put(p);
}
}  // namespace trap_functor

namespace trap_plus_assign {
struct Sink { int** at; __device__ void operator+=(int* p) { *at = p; } };
__global__ void k(int** out) {
  Sink sink{out + threadIdx.x};
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  sink += p;
}
}  // namespace trap_plus_assign

namespace trap_vec_plus_assign {
struct V { int x; __device__ V& operator+=(const V& o) { x += o.x; return *this; } };
__global__ void k(int** out) {
  V v{(int)threadIdx.x}, one{1};
  v += one;
  out[threadIdx.x] = new int[v.x];  // who=grid same=thread escapes
}
}  // namespace trap_vec_plus_assign

namespace trap_member_plus {
struct N { int v; __device__ N operator+(N o) const { N r; r.v = v + o.v; return r; } };
__global__ void k(int** out) {
  N a{(int)threadIdx.x}, b{1};
  N c = a + b;
  N d = b + a;
  out[threadIdx.x] = new int[c.v];  // who=grid same=thread escapes
  out[threadIdx.x + 1] = new int[d.v];  // who=grid same=thread escapes
}
}  // namespace trap_member_plus

namespace trap_conversion {
struct Id { int v; __device__ operator int() const { return v; } };
__global__ void k(int** out) {
  Id id{(int)threadIdx.x};
  if (id < 3) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_conversion

namespace trap_value_init {
struct P { int a; };
__global__ void k(P** out, int n) {
  out[threadIdx.x] = new P[n]();  // who=grid same=grid escapes
  out[threadIdx.x + 1] = new P();  // who=grid same=grid bytes=4 escapes
  out[threadIdx.x + 2] = new P{n};  // who=grid same=grid bytes=4 escapes
}
}  // namespace trap_value_init

namespace trap_placement {
struct P { int a; __device__ P(int b) : a(b) {} };
__global__ void k(P** out, int n) {
  void* m = malloc(sizeof(P));  // who=grid same=grid bytes=4 escapes
  out[threadIdx.x] = new (m) P(n);
}
}  // namespace trap_placement

namespace trap_type_in_brackets {
struct P { int a, b; };
struct Q { int a; __device__ Q(int b) : a(b) {} };
__global__ void k(P** p, Q** q, int n) {
  p[threadIdx.x] = new (P);  // who=grid same=grid bytes=8 escapes
  p[threadIdx.x + 1] = new (P[3]);  // who=grid same=grid bytes=24 escapes
  q[threadIdx.x] = new (Q)(n);  // who=grid same=grid bytes=4 escapes
  int* r = new(int);  // who=grid same=grid bytes=4 freed
  *r = n;
  p[0]->a = *r;
  delete r;
}
}  // namespace trap_type_in_brackets

namespace trap_launch_in_parts {
__global__ void k(char** out) {
  out[threadIdx.x] = new char[8];  // who=grid same=grid bytes=8 escapes
}
template <class T>
struct Of { static int n() { return sizeof(T); } };
template <class T>
Of<T> operator<<(Of<T> a, T) { return a; }
Of<int> shifted(Of<int> a) { return operator<< <int>(a, 3); }
void h(char** out) {
  k << <1, 32 >> > (out);
  k<< <Of<Of<int> >::n(), 32, 0>> >(out);
}
}  // namespace trap_launch_in_parts

namespace trap_realloc_contents {
__global__ void k(int*** out, int n) {
  int** a = (int**)malloc(8);  // who=grid same=grid bytes=8
  a[0] = new int[4];  // who=grid same=grid bytes=16 escapes
  a = (int**)realloc(a, 16);  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x] = a;
}
}  // namespace trap_realloc_contents

namespace trap_grow_copy {
struct Vec { int* d; int n, cap;
  __device__ void push(int v) {
    if (n == cap) {
      int* bigger = new int[2 * cap];  // who=part same=thread freed loop
      for (int k = 0; k < n; ++k) bigger[k] = d[k];
      delete[] d;
      d = bigger; cap *= 2;
    }
    d[n++] = v;
  } };
__global__ void k(const int* in, int* out, int n) {
  Vec v;
  v.d = new int[4];  // who=grid same=grid bytes=16 freed
  v.n = 0; v.cap = 4;
  for (int k = 0; k < n; ++k) if (in[k * blockDim.x + threadIdx.x] > 0) v.push(k);
  out[threadIdx.x] = v.n;
  delete[] v.d;
}
}  // namespace trap_grow_copy

namespace trap_atomic_named {
struct Node { int v; Node* next; };
struct List { Node* head; __device__ void atomic_push(Node* n) { n->next = head; head = n; } };
__device__ void atomicInsert(Node* n, Node** head) { n->next = *head; *head = n; }
__global__ void k(List* list, Node** head) {
  Node* a = new Node;  // who=grid same=grid bytes=16 escapes
  list->atomic_push(a);
  Node* b = new Node;  // who=grid same=grid bytes=16 escapes
  atomicInsert(b, head);
}
}  // namespace trap_atomic_named

namespace trap_math_named {
struct Q { int v; __device__ int max() const { return v; } };
__global__ void k(int** out) {
  Q q{(int)threadIdx.x};
  out[threadIdx.x] = new int[q.max()];  // who=grid same=thread escapes
}
}  // namespace trap_math_named

namespace trap_virtual_call {
struct Base { __device__ virtual void keep(int* p) { p[0] = 0; } };
__device__ int* kept[1024];
struct Derived : Base { __device__ void keep(int* p) override { kept[threadIdx.x] = p; } };
__global__ void k(Base** bases) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  bases[threadIdx.x]->keep(p);
}
}  // namespace trap_virtual_call

namespace trap_array_store_index {
__global__ void k(int** out, const int* keys) {
  int seen[4] = {0, 0, 0, 0};
  seen[keys[threadIdx.x] & 3] = 7;
  out[threadIdx.x] = new int[seen[0]];  // who=grid same=thread escapes
}
}  // namespace trap_array_store_index

namespace trap_range_for_ref {
__global__ void k(int** out, const int* keys) {
  int a[4] = {1, 1, 1, 1};
  for (int& x : a) x = keys[threadIdx.x];
  out[threadIdx.x] = new int[a[0]];  // who=grid same=thread escapes
}
}  // namespace trap_range_for_ref

namespace trap_struct_array_member {
struct S { const int* in; int n[4]; };
__global__ void k(int** out, const int* in) {
  S s;
  s.in = in;
  s.n[0] = threadIdx.x;
  out[threadIdx.x] = new int[s.n[0]];  // who=grid same=thread escapes
}
}  // namespace trap_struct_array_member

namespace trap_and_increment {
__global__ void k(int** out, const int* keys) {
  int n = 1;
  keys[threadIdx.x] > 0 && ++n;
  out[threadIdx.x] = new int[n];  // who=grid same=thread most=8 escapes
}
}  // namespace trap_and_increment

namespace trap_float_division {
__global__ void k(int** out) {
  float f = 7;
  out[threadIdx.x] = new int[(int)(f / 2 * 2)];  // who=grid same=grid escapes
}
}  // namespace trap_float_division

namespace trap_char_literal {
__global__ void k(int** out) {
  out[threadIdx.x] = new int['9' + 1];  // who=grid same=grid bytes=232 escapes
}
}  // namespace trap_char_literal

namespace trap_static_local {
__device__ int ticket() { static int calls = 0; return atomicAdd(&calls, 1); }
__device__ int plain() { static int calls = 0; return ++calls; }
__global__ void k(int** out) {
  out[threadIdx.x] = new int[plain()];  // who=grid same=thread escapes
  out[threadIdx.x + 1] = new int[ticket()];  // who=grid same=thread escapes
}
}  // namespace trap_static_local

namespace trap_chain_of_six {
__global__ void k(int** out, int n) {
  int a = n, b = n, c = n, d = n, e = n, f = n;
  for (int k = 0; k < n; ++k) { f = e; e = d; d = c; c = b; b = a; a = threadIdx.x; }
  out[threadIdx.x] = new int[f];  // who=grid same=thread escapes
}
}  // namespace trap_chain_of_six

namespace trap_partial_specialisation {
template <class T, int N> struct A { __device__ T* get() { return new T[N]; } };  // who=part same=grid escapes
template <class T> struct A<T, 0> { __device__ T* get(int n) { return new T[n]; } };  // who=part same=thread escapes
__global__ void k() {}
}  // namespace trap_partial_specialisation

namespace trap_while_declares {
struct Node { int v; Node* next; };
__device__ Node* pop(Node** head) { Node* n = *head; if (n) *head = n->next; return n; }
__global__ void k(Node** heads, int** out) {
  while (Node* n = pop(heads + threadIdx.x)) {
    out[n->v] = new int[n->v];  // who=part same=thread escapes loop
  }
}
}  // namespace trap_while_declares

namespace trap_if_declares {
__global__ void k(int** out, int n) {
  if (int* p = new int[n]) out[threadIdx.x] = p;  // who=grid same=grid escapes
}
}  // namespace trap_if_declares

namespace trap_hash_chain {
struct Entry { int key, value; Entry* next; };
__device__ Entry* find(Entry* e, int key) { while (e != nullptr && e->key != key) e = e->next; return e; }
__global__ void insert(Entry** table, const int* keys, int n, int buckets) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned b = (unsigned)keys[i] * 2654435761u % buckets;
  if (find(table[b], keys[i])) return;
  Entry* e = (Entry*)malloc(sizeof(Entry));  // who=part same=grid bytes=16 escapes
  if (!e) return;
  e->key = keys[i];
  Entry* old;
  do { old = table[b]; e->next = old; } while (atomicCAS((unsigned long long*)&table[b], (unsigned long long)old, (unsigned long long)e) != (unsigned long long)old);
}
}  // namespace trap_hash_chain

namespace trap_graph {
struct Edge { int to; Edge* next; };
struct Graph { Edge** first; int nodes; };
__device__ void add(Graph g, int from, int to) {
  Edge* e = new Edge{to, g.first[from]};  // who=guarded same=grid bytes=16 escapes freed
  g.first[from] = e;
}
__device__ void remove_all(Graph g, int from) {
  for (Edge* e = g.first[from]; e;) { Edge* next = e->next; delete e; e = next; }
}
__global__ void churn(Graph g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.nodes) {
    add(g, i, i + 1);
    remove_all(g, i);
  }
}
}  // namespace trap_graph

namespace trap_two_kernels_global {
__device__ int* kept[1024];
__global__ void make(int n) { kept[blockIdx.x * blockDim.x + threadIdx.x] = new int[n]; }  // who=grid same=grid escapes freed
__global__ void drop() { delete[] kept[blockIdx.x * blockDim.x + threadIdx.x]; }
}  // namespace trap_two_kernels_global

namespace trap_two_kernels_reversed {
__device__ int* kept[1024];
__global__ void drop() { delete[] kept[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void make(int n) { kept[blockIdx.x * blockDim.x + threadIdx.x] = new int[n]; }  // who=grid same=grid escapes freed
}  // namespace trap_two_kernels_reversed

namespace trap_union_pointer {
union U { int* p; unsigned long long bits; };
__global__ void k(unsigned long long* out) {
  U u;
  u.p = new int[4];  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x] = u.bits;
}
}  // namespace trap_union_pointer

namespace trap_tagged_pointer {
__global__ void k(uintptr_t* out) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  uintptr_t t = reinterpret_cast<uintptr_t>(p) | 1u;
  out[threadIdx.x] = t;
}
}  // namespace trap_tagged_pointer

namespace trap_work_queue_block {
__device__ int next_item;
__global__ void k(const int* sizes, float** out, int n) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0) item = atomicAdd(&next_item, 1);
    __syncthreads();
    if (item >= n) break;
    out[item * blockDim.x + threadIdx.x] = new float[sizes[item]];  // who=blocks same=block escapes loop
    __syncthreads();
  }
}
}  // namespace trap_work_queue_block

namespace trap_strings {
__device__ char* copy_of(const char* s) {
  size_t n = strlen(s) + 1;
  char* c = (char*)malloc(n);  // who=guarded same=thread escapes
  memcpy(c, s, n);
  return c;
}
__global__ void k(const char* const* in, char** out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = copy_of(in[i]);
}
}  // namespace trap_strings

namespace trap_dependent_call {
template <class T> __device__ T* alloc(T n) { return (T*)malloc(n * sizeof(T)); }  // who=grid|part same=thread|grid escapes
template <class T> __global__ void k(T** out, T n) { out[threadIdx.x] = alloc(n); }
template __global__ void k<int>(int**, int);
}  // namespace trap_dependent_call

namespace trap_dependent_malloc {
template <class C> __global__ void k(C c, int** out) {
  out[threadIdx.x] = (int*)malloc(c.size());  // who=grid same=thread|grid escapes
}
}  // namespace trap_dependent_malloc

namespace trap_default_argument {
__device__ int* make(int n, int extra = threadIdx.x & 3) { return new int[n + extra]; }  // who=grid same=thread escapes
__global__ void k(int** out, int n) { out[threadIdx.x] = make(n); }
}  // namespace trap_default_argument

namespace trap_pointer_to_pointer_local {
__device__ void link(int** slot, int* p) { *slot = p; }
__global__ void k(int*** out) {
  int* tmp[2];
  link(&tmp[1], new int[4]);  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x][0] = tmp[1];
}
}  // namespace trap_pointer_to_pointer_local

namespace trap_static_member {
struct G { static __device__ int* kept; };
__device__ int* G::kept;
__global__ void k() {
  if (threadIdx.x == 0) G::kept = new int[4];  // who=one same=grid bytes=16 escapes
}
}  // namespace trap_static_member

namespace trap_return_struct {
struct M { int n; float* v; };
__device__ M make(int n) { M m; m.n = n; m.v = new float[n]; return m; }  // who=grid same=grid escapes
__global__ void k(M* out, int n) { out[threadIdx.x] = make(n); }
}  // namespace trap_return_struct

namespace trap_calloc_etc {
__global__ void k(int** out, int n) {
  out[threadIdx.x] = (int*)calloc(n, 4);  // who=grid same=grid escapes
  out[threadIdx.x + 1] = (int*)aligned_alloc(16, 64);  // who=grid same=grid bytes=64 escapes
}
}  // namespace trap_calloc_etc

namespace trap_func_pointer {
__device__ int* make(int n) { return new int[n]; }  // who=part same=thread escapes
__global__ void k(int** out, int n) { int* (*f)(int) = make; out[threadIdx.x] = f(n); }
}  // namespace trap_func_pointer

namespace trap_device_lambda {
__global__ void k(int** out, int n) {
  auto f = [=] __device__ (int k) { out[k] = new int[4]; };  // who=guarded same=grid bytes=16 escapes
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
}  // namespace trap_device_lambda

namespace trap_constexpr_if {
template <bool B> __global__ void k(int** out, int n) {
  if constexpr (B) out[threadIdx.x] = new int[n];  // who=grid same=grid escapes
  else out[threadIdx.x] = new int[4];  // who=grid same=grid bytes=16 escapes
}
}  // namespace trap_constexpr_if

namespace trap_dead_macro {
#define DEBUG 0
__global__ void k(int** out, int n) {
  if (DEBUG) { n = threadIdx.x; }
  out[threadIdx.x] = new int[n];  // who=grid same=grid escapes
}
#undef DEBUG
}  // namespace trap_dead_macro

namespace trap_shared_by_param {
__device__ void load_table(float*& t, int n) { if (threadIdx.x == 0) t = new float[64]; __syncthreads(); }  // who=one same=grid bytes=256 shared freed advice=shared
__global__ void k(float* out, int n) {
  __shared__ float* t;
  load_table(t, n);
  out[threadIdx.x] = t[threadIdx.x % 64];
  __syncthreads();
  if (threadIdx.x == 0) delete[] t;
}
}  // namespace trap_shared_by_param

namespace trap_dependent_helper_new {
template <class T> __device__ T* alloc(T n) { return new T[4]; }  // who=part same=grid escapes
template <class T> __global__ void k(T** out, T n) { out[threadIdx.x] = alloc(n); }
}  // namespace trap_dependent_helper_new

namespace trap_macro_guard {
#define GUARD(i, n) if ((i) >= (n)) return
__global__ void k(int** out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  GUARD(i, n);
  out[i] = new int[4];  // who=guarded|part same=grid bytes=16 escapes
}
#undef GUARD
}  // namespace trap_macro_guard

namespace trap_continue_in_do {
__global__ void k(int** out, const int* keys, int n) {
  int r = 0;
  do {
    if (keys[r * 32 + threadIdx.x] < 0) continue;
    out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes loop
  } while (++r < n);
}
}  // namespace trap_continue_in_do

namespace trap_ternary_two {
__global__ void k(int** out, const int* keys) {
  int* p = keys[threadIdx.x] ?
    new int[4] :  // who=part same=grid bytes=16 escapes
    new int[8];  // who=part same=grid bytes=32 escapes
  out[threadIdx.x] = p;
}
}  // namespace trap_ternary_two

namespace trap_tail_of_published {
struct Node { int v; Node* next; };
__global__ void k(Node** out, int n) {
  Node* head = new Node;  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x] = head;
  Node* t = head;
  for (int i = 0; i < n; ++i) {
    Node* m = new Node;  // who=grid same=grid bytes=16 escapes loop
    t->next = m;
    t = m;
  }
}
}  // namespace trap_tail_of_published

namespace trap_memcpy_pointers {
__global__ void k(int*** out, int n) {
  int* tmp[2];
  tmp[0] = new int[4];  // who=grid same=grid bytes=16 escapes
  int** grown = new int*[4];  // who=grid same=grid bytes=32 escapes
  memcpy(grown, tmp, sizeof tmp);
  out[threadIdx.x] = grown;
}
}  // namespace trap_memcpy_pointers

namespace trap_strcmp_written {
__global__ void k(char* text, int** out) {
  text[0] = 'a' + threadIdx.x;
  if (strcmp(text, "b") == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_strcmp_written

namespace trap_sincos {
__global__ void k(int** out, const float* a) {
  float s = 0, c = 0;
  sincosf(a[threadIdx.x], &s, &c);
  if (s > 0.5f) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_sincos

namespace trap_two_locals {
__global__ void k(int** out) {
  int a = 1, b = 2;
  int* p = threadIdx.x & 1 ? &a : &b;
  *p = 5;
  out[threadIdx.x] = new int[a];  // who=grid same=thread most=20 escapes
}
}  // namespace trap_two_locals

namespace trap_struct_by_pointer_helper {
struct Vec { int* d; int n; };
__device__ void init(Vec* v, int n) { v->d = new int[n]; v->n = n; }  // who=grid same=grid freed
__device__ void drop(Vec* v) { delete[] v->d; }
__global__ void k(int* out, int n) {
  Vec v;
  init(&v, n);
  out[threadIdx.x] = v.n;
  drop(&v);
}
}  // namespace trap_struct_by_pointer_helper

namespace trap_struct_field_by_thread {
struct Job { int id, len; };
__device__ void setup(Job* j) { j->id = threadIdx.x; j->len = threadIdx.x * 2; }
__global__ void k(int** out) {
  Job j;
  setup(&j);
  out[threadIdx.x] = new int[j.len];  // who=grid same=thread escapes
}
}  // namespace trap_struct_field_by_thread

namespace trap_param_struct_sink {
struct Ctx { int** out; __device__ void put(int* p) { out[threadIdx.x] = p; } };
__global__ void k(Ctx c) { c.put(new int[4]); }  // who=grid same=grid bytes=16 escapes
}  // namespace trap_param_struct_sink

namespace trap_return_value_helper_flag {
__device__ bool wanted(const int* keys) { if (threadIdx.x > 5) return false; return true; }
__global__ void k(const int* keys, int** out) {
  if (wanted(keys)) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_return_value_helper_flag

namespace trap_return_param_either {
__device__ int pick(int a, int b) { if (threadIdx.x & 1) return a; return b; }
__global__ void k(int** out, int a, int b) { out[threadIdx.x] = new int[pick(a, b)]; }  // who=grid same=thread escapes
}  // namespace trap_return_param_either

namespace trap_flag_or_count {
__global__ void k(int** out, const int* keys, bool f, bool g) {
  bool use = f;
  if (keys[threadIdx.x]) use = g;
  if (use) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_flag_or_count

namespace trap_nested4 {
__global__ void k(int** out, int n) {
  for (int a = 0; a < n; ++a) for (int b = 0; b < a; ++b) for (int c = 0; c < b; ++c) for (int d = 0; d < c; ++d)
    out[a + b + c + d] = new int[4];  // who=grid same=grid bytes=16 escapes loop
}
}  // namespace trap_nested4

namespace trap_nested6 {
__global__ void k(int** out, int n) {
  for (int a = 0; a < n; ++a) for (int b = 0; b < a; ++b) for (int c = 0; c < b; ++c) for (int d = 0; d < c; ++d)
  for (int e = 0; e < d; ++e) for (int f = 0; f < e; ++f)
    out[a + b + c + d] = new int[4];  // who=grid same=grid bytes=16 escapes loop
}
}  // namespace trap_nested6

namespace trap_call_chain {
__device__ int f0(int n) { return n + 1; }
__device__ int f1(int n) { return f0(n) + f0(n + 1); }
__device__ int f2(int n) { return f1(n) + f1(n + 1); }
__device__ int f3(int n) { return f2(n) + f2(n + 1); }
__device__ int f4(int n) { return f3(n) + f3(n + 1); }
__device__ int f5(int n) { return f4(n) + f4(n + 1); }
__device__ int f6(int n) { return f5(n) + f5(n + 1); }
__device__ int f7(int n) { return f6(n) + f6(n + 1); }
__device__ int f8(int n) { return f7(n) + f7(n + 1); }
__device__ int f9(int n) { return f8(n) + f8(n + 1); }
__device__ int f10(int n) { return f9(n) + f9(n + 1); }
__device__ int f11(int n) { return f10(n) + f10(n + 1); }
__global__ void k(int** out, int n) { if (f11(n) > 3 && f11(n) < 99) out[0] = new int[4]; }  // who=grid same=grid bytes=16 escapes
}  // namespace trap_call_chain

namespace trap_comment_and {
__global__ void k(int** out, const int* keys) {
  int* p = nullptr;
  bool b = keys[threadIdx.x] > 0 &&  // wanted
           (p = new int[4]) != nullptr;  // who=part same=grid bytes=16 escapes
  if (b) out[threadIdx.x] = p;
}
}  // namespace trap_comment_and

namespace trap_comment_compound {
__global__ void k(int** out, const int* keys) {
  int n = 1;
  n +=  // more
      keys[threadIdx.x];
  out[threadIdx.x] = new int[n];  // who=grid same=thread escapes
}
}  // namespace trap_comment_compound

namespace trap_threadidx_copy {
__global__ void k(int** out) {
  uint3 t = threadIdx;
  if (t.x == 0) out[blockIdx.x] = new int[4];  // who=one|part same=grid bytes=16 escapes
}
}  // namespace trap_threadidx_copy

namespace trap_threadidx_param {
__device__ bool first(uint3 t) { return t.x == 0 && t.y == 0; }
__global__ void k(int** out) {
  if (first(threadIdx)) out[blockIdx.x] = new int[4];  // who=one|part same=grid bytes=16 escapes
}
}  // namespace trap_threadidx_param

namespace trap_threadidx_ref {
__global__ void k(int** out) {
  const auto& t = threadIdx;
  if (t.x == 0 && t.y == 0) out[blockIdx.x] = new int[4];  // who=one|part same=grid bytes=16 escapes
}
}  // namespace trap_threadidx_ref

namespace trap_threadidx_size {
__global__ void k(int** out) {
  dim3 id(threadIdx.x, threadIdx.y, 0);
  uint3 t = threadIdx;
  out[blockIdx.x] = new int[t.x];  // who=grid same=thread escapes
}
}  // namespace trap_threadidx_size

namespace trap_blockidx_copy {
__global__ void k(int** out, int n) {
  uint3 b = blockIdx;
  if (b.x == 0) out[threadIdx.x] = new int[4];  // who=blocks|part same=grid bytes=16 escapes
}
}  // namespace trap_blockidx_copy

namespace trap_elem_member_store {
struct M { int n; float* v; };
__global__ void k(M* out) {
  out[threadIdx.x].v = new float[16];  // who=grid same=grid bytes=64 escapes
}
}  // namespace trap_elem_member_store

namespace trap_elem_member_store_helper {
struct M { int n; float* v; };
__device__ void set(M* a, int i, float* p) { a[i].v = p; }
__global__ void k(M* out) {
  float* p = new float[16];  // who=grid same=grid bytes=64 escapes
  set(out, threadIdx.x, p);
}
}  // namespace trap_elem_member_store_helper

namespace trap_cuda_arch {
__device__ int lane() {
#ifdef __CUDA_ARCH__
  return threadIdx.x & 31;
#else
  return 0;
#endif
}
__global__ void k(int** out) {
  if (lane() == 0) out[threadIdx.x] = new int[4];  // who=lane same=grid bytes=16 escapes
}
}  // namespace trap_cuda_arch

namespace trap_cuda_arch_alloc {
__host__ __device__ void* get(size_t n) {
#ifdef __CUDA_ARCH__
  return malloc(n);  // who=grid same=grid bytes=16 escapes
#else
  return nullptr;
#endif
}
__global__ void k(void** out) { out[threadIdx.x] = get(16); }
}  // namespace trap_cuda_arch_alloc

namespace trap_ctor_registers {
struct Node { Node* next; __device__ Node(Node** list) { next = list[threadIdx.x]; list[threadIdx.x] = this; } };
__global__ void k(Node** list) {
  new Node(list);  // who=grid same=grid bytes=8 escapes
}
}  // namespace trap_ctor_registers

namespace trap_method_by_pointer_to_local {
struct S { int n; __device__ void init(const int* in) { n = in[threadIdx.x]; } };
__device__ void fill(S* s, const int* in) { s->init(in); }
__global__ void k(const int* in, int** out) {
  S s;
  s.n = 4;
  fill(&s, in);
  out[threadIdx.x] = new int[s.n];  // who=grid same=thread escapes
}
}  // namespace trap_method_by_pointer_to_local

namespace trap_method_by_pointer_block {
struct V { int* d; __device__ void alloc(int n) { d = new int[n]; } };  // who=grid same=grid bytes=16 escapes
__device__ void fill(V* v) { v->alloc(4); }
__global__ void k(V** out) {
  V* v = new V;  // who=grid same=grid bytes=8 escapes
  fill(v);
  out[threadIdx.x] = v;
}
}  // namespace trap_method_by_pointer_block

namespace trap_method_by_pointer_local_ptr {
struct V { int* d; __device__ void alloc(int n) { d = new int[n]; } };  // who=grid same=grid bytes=16 escapes
__device__ void fill(V* v) { v->alloc(4); }
__global__ void k(int** out) {
  V v;
  fill(&v);
  out[threadIdx.x] = v.d;
}
}  // namespace trap_method_by_pointer_local_ptr

namespace trap_addr_of_member_in_method {
__device__ void load(const int* in, int* p) { *p = in[threadIdx.x]; }
struct S { int n; __device__ void read(const int* in) { load(in, &n); } };
__global__ void k(const int* in, int** out) {
  S s;
  s.n = 4;
  s.read(in);
  out[threadIdx.x] = new int[s.n];  // who=grid same=thread escapes
}
}  // namespace trap_addr_of_member_in_method

namespace trap_ref_accessor {
struct P { int x_; __device__ int& x() { return x_; } };
__global__ void k(int** out) {
  P p;
  p.x() = threadIdx.x;
  out[threadIdx.x] = new int[p.x()];  // who=grid same=thread escapes
}
}  // namespace trap_ref_accessor

namespace trap_bracket_accessor {
struct P { int a, b; __device__ int& operator[](int i) { return i ? b : a; } };
__global__ void k(int** out) {
  P p{1, 2};
  p[0] = threadIdx.x;
  out[threadIdx.x] = new int[p[0]];  // who=grid same=thread escapes
}
}  // namespace trap_bracket_accessor

namespace trap_bracket_pointers {
struct P { int* v[4]; __device__ int*& operator[](int i) { return v[i]; } };
__global__ void k(int** out) {
  P p;
  p[0] = new int[4];  // who=grid same=grid bytes=16 escapes
  out[threadIdx.x] = p[0];
}
}  // namespace trap_bracket_pointers

namespace trap_alias_index_changes {
__global__ void k(const int* keys, int** out) {
  int i = threadIdx.x;
  const int& key = keys[i];
  i = 0;
  if (key > 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_alias_index_changes

namespace trap_alias_pointer_changes {
__global__ void k(int** out) {
  int a = 4, b = 5;
  int* p = &a;
  int& r = *p;
  p = &b;
  r = threadIdx.x;
  out[threadIdx.x] = new int[a];  // who=grid same=thread escapes most=4092
}
}  // namespace trap_alias_pointer_changes

namespace trap_static_keeps {
__global__ void k() {
  static int* kept;
  if (threadIdx.x == 0) kept = new int[4];  // who=one same=grid bytes=16 escapes
}
}  // namespace trap_static_keeps

namespace trap_lambda_returns_freed {
__global__ void k(int* out) {
  auto mk = [&]() { return new int[4]; };  // who=grid same=grid bytes=16 freed advice=block
  int* a = mk();
  int* b = mk();
  a[0] = 1; b[0] = 2;
  out[threadIdx.x] = a[0] + b[0];
  delete[] a; delete[] b;
}
}  // namespace trap_lambda_returns_freed

namespace trap_shared_inner {
struct M { int n; float* v; };
__global__ void k(float* out) {
  __shared__ M* s;
  if (threadIdx.x == 0) {
    M* m = new M;  // who=one same=grid bytes=16 freed shared
    m->v = new float[64];  // who=one same=grid bytes=256 freed shared advice=shared|each
    s = m;
  }
  __syncthreads();
  out[threadIdx.x] = s->v[threadIdx.x % 64];
  __syncthreads();
  if (threadIdx.x == 0) { delete[] s->v; delete s; }
}
}  // namespace trap_shared_inner

namespace trap_long_comment_in_assign {
__global__ void k(int** out) {
  out[threadIdx.x] =
      // 1
      // 2
      // 3
      // 4
      // 5
      // 6
      // 7
      // 8
      // 9
      // 10
      new int[4];  // who=grid same=grid bytes=16 escapes
}
}  // namespace trap_long_comment_in_assign

namespace trap_ifdef_in_assign {
__global__ void k(int** out, int n) {
  int m =
#ifdef BIG
    n * 16 +
    n * 2 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
#endif
    threadIdx.x;
  m =
#ifdef BIG
    n * 16 +
    n * 2 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
    n * 3 +
#endif
    (threadIdx.x & 3);
  out[threadIdx.x] = new int[m];  // who=grid same=thread most=12 escapes
}
}  // namespace trap_ifdef_in_assign

namespace trap_step_list {
struct Node { Node* next; };
__global__ void k(int* out, int n) {
  Node* head = nullptr;
  for (int i = 0; i < n; ++i, head = new Node{head}) {}  // who=grid same=grid bytes=8 freed loop advice=block
  int sum = 0;
  while (head) { Node* t = head->next; ++sum; delete head; head = t; }
  out[threadIdx.x] = sum;
}
}  // namespace trap_step_list

namespace trap_test_list {
struct Node { Node* next; };
__global__ void k(int* out, int n) {
  Node* head = nullptr;
  while (n-- > 0 && (head = new Node{head})) {}  // who=grid same=grid bytes=8 freed loop advice=block
  int sum = 0;
  while (head) { Node* t = head->next; ++sum; delete head; head = t; }
  out[threadIdx.x] = sum;
}
}  // namespace trap_test_list

namespace trap_postfix {
__global__ void k(int** out) {
  int n = 3;
  out[threadIdx.x] = new int[n++];  // who=grid same=grid bytes=12 escapes
}
}  // namespace trap_postfix

namespace trap_cast_byte {
__global__ void k(int** out) {
  if ((unsigned char)threadIdx.x == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
  out[threadIdx.x + 1] = new int[(unsigned char)300];  // who=grid same=grid bytes=176 escapes
}
}  // namespace trap_cast_byte

namespace trap_float_compound {
__global__ void k(int** out) {
  float f = 7;
  f /= 2;
  f *= 2;
  out[threadIdx.x] = new int[(int)f];  // who=grid same=grid escapes
}
}  // namespace trap_float_compound

namespace trap_unsigned_wrap {
__global__ void k(char** out) {
  out[threadIdx.x] = new char[min(16u - threadIdx.x, 100u)];  // who=grid same=thread most=100 escapes
}
}  // namespace trap_unsigned_wrap

namespace trap_empty_key {
const int EMPTY = 0xFFFFFFFF;
__global__ void k(int** out) {
  int cur = 0xFFFFFFFF;
  if (cur == EMPTY) out[threadIdx.x] = new int[4];  // who=grid same=grid bytes=16 escapes
}
}  // namespace trap_empty_key

namespace trap_typedef_array {
typedef int Row[8];
__global__ void k(int** out) {
  out[threadIdx.x] = new Row;  // who=grid same=grid bytes=32 escapes
}
}  // namespace trap_typedef_array

namespace trap_decltype_new {
__global__ void k(int** out, int n) {
  int x = 0;
  out[threadIdx.x] = new decltype(x)[threadIdx.x + n];  // who=grid same=thread escapes
}
}  // namespace trap_decltype_new

namespace trap_nothrow_array {
__global__ void k(int** out) {
  out[threadIdx.x] = new (std::nothrow) int[threadIdx.x];  // who=grid same=thread most=4092 escapes
}
}  // namespace trap_nothrow_array

namespace trap_half_any {
__global__ void k(const int* keys, int** out) {
  unsigned half = threadIdx.x & 16 ? 0xffff0000u : 0x0000ffffu;
  if (__any_sync(half, keys[threadIdx.x])) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_half_any

namespace trap_dtor_in_branch {
struct Log { int** out; __device__ ~Log() { out[threadIdx.x] = new int[4]; } };  // who=part same=grid bytes=16 escapes
__global__ void k(int** out) {
  if (threadIdx.x & 1) { Log l{out}; }
}
}  // namespace trap_dtor_in_branch

namespace trap_dtor_after_return {
struct Log { int** out; __device__ ~Log() { out[threadIdx.x] = new int[4]; } };  // who=part same=grid bytes=16 escapes
__global__ void k(int** out) {
  if (threadIdx.x & 1) return;
  Log l{out};
}
}  // namespace trap_dtor_after_return

namespace trap_dtor_by_delete {
__device__ int* kept[1024];
struct B { int* d; __device__ ~B() { kept[threadIdx.x] = d; } };
__global__ void k() {
  B* b = new B;  // who=grid same=grid bytes=8 freed
  b->d = new int[4];  // who=grid same=grid bytes=16 escapes
  delete b;
}
}  // namespace trap_dtor_by_delete

namespace trap_implicit_member_ctor {
struct Buf { int* d; __device__ Buf() { d = new int[4]; } };  // who=part same=grid bytes=16 escapes
struct Outer { Buf b; int x; };
__global__ void k(int** out) {
  Buf a;
  a.d[0] = 1;
  if (threadIdx.x & 1) { Outer o; out[threadIdx.x] = o.b.d; }
}
}  // namespace trap_implicit_member_ctor

namespace trap_virtual_also_direct {
struct B { __device__ virtual int* make() { return nullptr; } };
struct D : B { __device__ int* make() override { return new int[4]; } };  // who=part same=grid bytes=16 escapes
__global__ void k(B** bs, int** out) {
  D d;
  out[threadIdx.x] = d.make();
  if (threadIdx.x & 1) out[threadIdx.x] = bs[threadIdx.x]->make();
}
}  // namespace trap_virtual_also_direct

namespace trap_fptr_also_direct {
__device__ int* make(int n) { return new int[n]; }  // who=part same=thread escapes
typedef int* (*F)(int);
__global__ void k(int** out, int n) {
  out[threadIdx.x] = make(n);
  F f = make;
  if (threadIdx.x & 1) out[threadIdx.x] = f(threadIdx.x);
}
}  // namespace trap_fptr_also_direct

namespace trap_asm_member {
struct L { int lane; __device__ void init() { asm("mov.u32 %0, %%laneid;" : "=r"(lane)); } };
__global__ void k(int** out) {
  L l;
  l.lane = 0;
  l.init();
  if (l.lane == 0) out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_asm_member

namespace trap_asm_exit {
__global__ void k(int** out) {
  if (threadIdx.x & 1) asm volatile("exit;");
  out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_asm_exit

namespace trap_asm_exit_in_function {
__device__ void end() { asm volatile("ex" "it;"); }
__device__ void end_some(const int* in) {
  if (in[threadIdx.x] > 3) end();
}
__global__ void by_data(const int* in) {
  end_some(in);
  free(malloc(4));  // who=part same=grid bytes=4 freed
}
__global__ void by_block(const int* in) {
  if (in[blockIdx.x]) end();
  free(malloc(4));  // who=blocks same=grid bytes=4 freed
}
__global__ void by_lambda() {
  auto some = [&]() {
    if (threadIdx.x < 7) end();
  };
  some();
  free(malloc(4));  // who=part same=grid bytes=4 freed
}
__global__ void behind() {
  free(malloc(4));  // who=grid same=grid bytes=4 freed
  end();
}
}  // namespace trap_asm_exit_in_function

namespace trap_binding_ref {
struct R { int lo, hi; };
__global__ void k(int** out) {
  R r{1, 2};
  auto& [lo, hi] = r;
  hi = threadIdx.x;
  out[threadIdx.x] = new int[r.hi];  // who=grid same=thread escapes
}
}  // namespace trap_binding_ref

namespace trap_auto_refref {
__global__ void k(int** out) {
  int n = 4;
  auto&& r = n;
  r = threadIdx.x;
  out[threadIdx.x] = new int[n];  // who=grid same=thread most=4092 escapes
}
}  // namespace trap_auto_refref

namespace trap_lambda_this {
struct S { int n; __device__ void run(int** out) { auto set = [this] { n = threadIdx.x; }; set(); out[threadIdx.x] = new int[n]; } };  // who=grid same=thread escapes
__global__ void k(int** out) { S s; s.n = 4; s.run(out); }
}  // namespace trap_lambda_this

namespace trap_lambda_returned {
__device__ auto mk(int n) { return [n]() { return n; }; }
__global__ void k(int** out) {
  auto f = mk(threadIdx.x);
  out[threadIdx.x] = new int[f()];  // who=grid same=thread escapes
}
}  // namespace trap_lambda_returned

namespace trap_host_device_lambda {
template <class F> __global__ void run(int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); }
void host(int** out, int n) {
  run<<<n / 256, 256>>>(n, [=] __device__ (int i) {
    out[i] = new int[4];  // who=guarded|part same=grid bytes=16 escapes
  });
}
}  // namespace trap_host_device_lambda

namespace trap_dependent_arrow {
struct Node { Node* next; }; struct L { Node* head; };
template <class List> __global__ void k(List list) {
  Node* n = new Node;  // who=grid same=grid bytes=8 escapes
  list->head = n;
}
void h(L* l) { k<<<1, 32>>>(l); }
}  // namespace trap_dependent_arrow

namespace trap_op_new {
__global__ void k(void** out) {
  out[threadIdx.x] = ::operator new(64);  // who=grid same=grid bytes=64 escapes
}
}  // namespace trap_op_new

namespace trap_typed_allocate {
template <class T> struct Alloc { __device__ T* allocate(size_t n); __device__ void deallocate(T* p, size_t n); };
__global__ void k(Alloc<int> a, int** out) {
  out[threadIdx.x] = a.allocate(8);  // who=grid same=grid bytes=32 escapes
}
}  // namespace trap_typed_allocate

namespace trap_own_allocate {
struct M { int r, c; float* v; __device__ void allocate(int rows, int cols) { r = rows; c = cols; v = new float[rows * cols]; } };  // who=grid same=grid freed
__global__ void k(float* out, int n) {
  M m;
  m.allocate(n, 4);
  out[threadIdx.x] = m.v[0];
  delete[] m.v;
}
}  // namespace trap_own_allocate

namespace trap_rot {
__device__ void rot(int* p, int** a, int** b, int** c, int d) { if (d == 0) { *a = p; return; } rot(p, b, c, a, d - 1); }
__global__ void k(int** out, int d) {
  int *x, *y;
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  rot(p, &x, &y, out + threadIdx.x, d);
}
}  // namespace trap_rot

namespace trap_user_log {
struct E { int v; };
__device__ void log(E* e);
__global__ void k() {
  E* e = new E;  // who=grid same=grid bytes=4 escapes freed
  log(e);
  delete e;
}
}  // namespace trap_user_log

namespace trap_default_member_heap {
struct Buf { int* p = new int[8]; };  // who=grid same=grid bytes=32 escapes
__global__ void k(Buf** out) { out[threadIdx.x] = new Buf; }  // who=grid same=grid bytes=8 escapes
}  // namespace trap_default_member_heap

namespace trap_call_budget {
struct V { float x, y, z;
  __device__ V operator+(V o) const { return V{x + o.x, y + o.y, z + o.z}; }
  __device__ V operator*(float s) const { return V{x * s, y * s, z * s}; } };
__device__ V mix(V a, V b, float t) { return a * (1 - t) + b * t; }
__device__ V shade(V a, V b) { return mix(a, mix(a, b, 0.5f), 0.25f) + mix(b, mix(a + b, b, 0.5f), 0.25f) * 2.f; }
__device__ int* kept[1024];
__device__ void keep(int* p) { kept[threadIdx.x] = p; }
__device__ int* late(int n) { return new int[n]; }  // who=grid same=grid bytes=16 escapes
__global__ void k(V* out, const V* in, int n) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  V acc{0, 0, 0};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < y; ++x)
      for (int s = 0; s < x; ++s)
        for (int b = 0; b < s; ++b)
          acc = acc + shade(in[b], in[s]) + shade(in[x], shade(in[y], acc));
  out[threadIdx.x] = acc;
  keep(p);
  keep(late(4));
}
}  // namespace trap_call_budget

namespace trap_deep24 {
__device__ int* kept[1024];
__device__ void f0(int* p) { kept[threadIdx.x] = p; }
#define F(a, b) __device__ void f##a(int* p) { f##b(p); }
F(1,0) F(2,1) F(3,2) F(4,3) F(5,4) F(6,5) F(7,6) F(8,7) F(9,8) F(10,9) F(11,10) F(12,11) F(13,12) F(14,13) F(15,14) F(16,15) F(17,16) F(18,17) F(19,18) F(20,19) F(21,20) F(22,21) F(23,22) F(24,23) F(25,24)
__global__ void k() {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes
  f25(p);
}
#undef F
}  // namespace trap_deep24

namespace trap_q_method_freed {
struct M { float* v; __device__ void init(int n) { v = new float[n]; } __device__ void drop() { delete[] v; } };  // who=grid same=grid freed
__global__ void k(float* out, int n) {
  M* m = new M;  // who=grid same=grid bytes=8
  m->init(n);
  out[threadIdx.x] = m->v[0];
  m->drop();
}
}  // namespace trap_q_method_freed

namespace trap_q_gt_left {
__global__ void k(int** out) { if (64 > threadIdx.x) out[threadIdx.x] = new int[4]; }  // who=warps same=grid bytes=16 escapes
}  // namespace trap_q_gt_left

namespace trap_q_le63 {
__global__ void k(int** out) { if (threadIdx.x <= 63) out[threadIdx.x] = new int[4]; }  // who=warps same=grid bytes=16 escapes
}  // namespace trap_q_le63

namespace trap_q_delete_dtor {
struct B { int* d; __device__ B(int n) { d = new int[n]; } __device__ ~B() { delete[] d; } };  // who=grid same=grid freed
__global__ void k(int* out, int n) { B* b = new B(n); out[threadIdx.x] = b->d[0]; delete b; }  // who=grid same=grid bytes=8 freed
}  // namespace trap_q_delete_dtor

namespace trap_q_member_dtor {
struct B { int* d; __device__ B(int n) { d = new int[n]; } __device__ ~B() { delete[] d; } };  // who=grid same=grid freed
struct C { B b; __device__ C(int n) : b(n) {} };
__global__ void k(int* out, int n) { C c(n); out[threadIdx.x] = c.b.d[0]; }
}  // namespace trap_q_member_dtor

namespace trap_q_local_lambda_one {
__global__ void k(int* out) {
  auto mk = [](int x) { int* p = new int[4]; p[0] = x; return p; };  // who=grid same=grid bytes=16 freed advice=block
  int* a = mk(3);
  out[threadIdx.x] = a[0];
  delete[] a;
}
}  // namespace trap_q_local_lambda_one

namespace trap_q_local_in_struct_returned {
struct R { int* p; };
__global__ void k(int* out) {
  R r;
  auto init = [&]() { r.p = new int[4]; };  // who=grid same=grid bytes=16 freed advice=block
  init();
  out[threadIdx.x] = r.p[0];
  delete[] r.p;
}
}  // namespace trap_q_local_in_struct_returned

namespace trap_q_atomicsub_shared_ptr {
__global__ void k(int* out) {
  __shared__ int* s[1024];
  int* p = new int[4];  // who=grid same=grid bytes=16 shared freed
  s[threadIdx.x] = p;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1][0];
  __syncthreads();
  delete[] p;
}
}  // namespace trap_q_atomicsub_shared_ptr

namespace trap_q_volatile_ref {
__global__ void k(int** out, const int* keys) {
  int best = 0;
  int& b = best;
  for (int i = 0; i < 4; ++i) if (keys[i * 32 + threadIdx.x] > b) b = keys[i * 32 + threadIdx.x];
  out[threadIdx.x] = new int[best];  // who=grid same=thread escapes
}
}  // namespace trap_q_volatile_ref

namespace trap_q_ptr_loop {
__global__ void k(int** out, const int* keys, int n) {
  const int* p = keys;
  for (; *p != (int)threadIdx.x; ++p) {}
  out[threadIdx.x] = new int[p - keys];  // who=grid same=thread escapes
}
}  // namespace trap_q_ptr_loop

namespace trap_q_shared_stale {
__global__ void k(int** out, int n) {
  __shared__ int len;
  int mine = 0;
  for (int r = 0; r < n; ++r) {
    if (threadIdx.x == 0) len = r * r;
    __syncthreads();
    if ((int)threadIdx.x == r) mine = len;
    __syncthreads();
  }
  out[threadIdx.x] = new int[mine];  // who=grid same=thread escapes
}
}  // namespace trap_q_shared_stale

namespace trap_q_own_size {
struct A { int n; A* next; };
__global__ void k(A** in, int** out) {
  A a = *in[threadIdx.x];
  A& r = *a.next;
  out[threadIdx.x] = new int[r.n];  // who=grid same=thread escapes
}
}  // namespace trap_q_own_size

namespace trap_q_dynamic_one {
__global__ void k(int** out, int w) {
  unsigned t = threadIdx.x;
  t &= 31;
  if (t == 0) out[threadIdx.x] = new int[4];  // who=lane same=grid bytes=16 escapes
}
}  // namespace trap_q_dynamic_one

namespace trap_q_index_product {
__global__ void k(int** out, int w) {
  int i = threadIdx.x - w * blockIdx.x;
  short s = i;
  if (s == 0) out[blockIdx.x] = new int[4];  // who=part|one same=grid bytes=16 escapes
}
}  // namespace trap_q_index_product

namespace trap_q_guard_reused {
__global__ void k(int** out, const int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lim = n;
  lim = __ballot_sync(~0u, keys[i]);
  if (i < lim) out[i] = new int[4];  // who=part same=grid bytes=16 escapes
}
}  // namespace trap_q_guard_reused

namespace trap_q_loop_guard {
__global__ void k(int** out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = n; s > 0; s /= 2)
    if (i < s) out[i] = new int[4];  // who=guarded|part same=grid bytes=16 escapes loop
}
}  // namespace trap_q_loop_guard
