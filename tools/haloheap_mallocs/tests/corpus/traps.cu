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
  out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes
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
  out[threadIdx.x] = new int[VAL(p)];  // who=grid same=thread escapes
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
