#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs --fix: what is rewritten, what is left as it is and why, and that the result parses."""

import pathlib
import shutil
import unittest

from support import CORPUS, FolderTest, golden, run

ALIKE = ("--alike", "coalesced_malloc", "--alike-header", "coalesced.cuh")
DECLARED = "#pragma once\n__device__ void* coalesced_malloc(size_t bytes, bool all_alike);\n"
HEADER = '#include "coalesced.cuh"\n'
TAKES = "coalesced_malloc"


class RewriteTest(FolderTest):
    """Sources in a folder of their own, which is the working directory."""

    def setUp(self):
        super().setUp()
        self.write("coalesced.cuh", DECLARED)

    def fix(self, *names, flags=ALIKE):
        """The diff, and what is said of the rest."""
        code, diff, said = run("--fix", *names, *flags)
        self.assertEqual(code, 0, said)
        return diff, said

    def fix_text(self, text):
        """The file as the diff makes it, and what is said of the rest."""
        self.write("a.cu", text)
        diff, said = self.fix("a.cu")
        if diff:
            self.patch(diff)
        return (self.folder / "a.cu").read_text(encoding="utf-8"), said

    def assert_rewritten(self, before, after, header=HEADER, says=""):
        """It becomes that, behind the header, which parses and does not change again."""
        changed, said = self.fix_text(before)
        self.assertEqual(changed, header + after)
        if says is not None:
            self.assertEqual(said, says)
        self.assertEqual(self.fix("a.cu")[0], "")

    def assert_left(self, text, why):
        after, said = self.fix_text(text)
        self.assertEqual(after, text)
        self.assertIn(why, said)


class Listing1Test(RewriteTest):
    def test_it_becomes_what_the_paper_shows(self):
        shutil.copy(CORPUS / "listing1.cu", self.folder)
        diff, said = self.fix("listing1.cu", flags=("--alike", "malloc"))
        self.assertEqual(diff, golden("listing1.diff"))
        self.assertIn("listing1.cu:19: malloc(sizeof(int)) stays as it is: not all threads of a block come to it: "
                      "threadIdx.x < 4 (line 18).\n", said)

    def test_what_four_threads_make_stays(self):
        self.assert_left("__device__ void f() { void* p = malloc(4); free(p); }\n"
                         "__global__ void k() {\n  if (threadIdx.x < 4) {\n    void* p = malloc(4);\n    f();\n"
                         "    free(p);\n  }\n}\n", "no kernel of these files calls f() with all threads of a block")

    def test_without_a_function_for_it_malloc_stays(self):
        shutil.copy(CORPUS / "listing1.cu", self.folder)
        diff, said = self.fix("listing1.cu", flags=())
        self.assertEqual(diff, "")
        self.assertIn("malloc cannot be told that all ask alike", said)


class FunctionsTest(RewriteTest):
    def test_it_is_passed_on_where_all_come_together(self):
        after, _ = self.fix_text("""
            __device__ void leaf(void) { free(malloc(8)); }
            __device__ void middle(int n) {
              if (n > 3) leaf();
              if (threadIdx.x < 4) leaf();
            }
            __global__ void k(int n) { middle(n); }
            __global__ void part(int n) { if (threadIdx.x == 0) middle(n); }
            """)
        self.assertEqual(after, """
            #include "coalesced.cuh"
            __device__ void leaf(bool all_alike = false) { free(coalesced_malloc(8, all_alike)); }
            __device__ void middle(int n, bool all_alike = false) {
              if (n > 3) leaf(all_alike);
              if (threadIdx.x < 4) leaf();
            }
            __global__ void k(int n) { middle(n, true); }
            __global__ void part(int n) { if (threadIdx.x == 0) middle(n); }
            """.replace('            #inc', "#inc"))

    def test_in_several_files(self):
        self.write("make.cuh", "#pragma once\n__device__ int* make(int n);\n")
        self.write("make.cu", '#include "make.cuh"\n__device__ int* make(int n) { return (int*)malloc(n); }\n')
        self.write("use.cu", '#include "make.cuh"\n__global__ void k(int n) {\n  free(make(n));\n'
                             "  if (threadIdx.x < 4) free(make(3));\n}")  # no line feed at the end
        diff, said = self.fix("make.cu", "use.cu", "make.cuh")
        self.assertEqual(said, "")
        self.patch(diff)
        texts = [(self.folder / name).read_text(encoding="utf-8") for name in ("make.cuh", "make.cu", "use.cu")]
        self.assertEqual(texts, [
            "#pragma once\n__device__ int* make(int n, bool all_alike = false);\n",
            '#include "make.cuh"\n#include "coalesced.cuh"\n__device__ int* make(int n, bool all_alike) '
            "{ return (int*)coalesced_malloc(n, all_alike); }\n",
            '#include "make.cuh"\n__global__ void k(int n) {\n  free(make(n, true));\n'
            "  if (threadIdx.x < 4) free(make(3));\n}"])
        self.assertEqual(self.fix("make.cu", "use.cu", "make.cuh")[0], "")

    def test_a_declaration_that_may_not_be_changed(self):
        self.write("make.cuh", "#pragma once\n__device__ int* make(int n);\n")
        self.write("a.cu", '#include "make.cuh"\n__device__ int* make(int n) { return (int*)malloc(n); }\n'
                           "__global__ void k(int n) { free(make(n)); }\n")
        diff, said = self.fix("a.cu")
        self.assertEqual(diff, "")
        self.assertIn("make.cuh is not among the files given", said)

    def test_a_size_that_differs_on_one_way_that_all_take(self):
        self.assert_left("__device__ void f(int n) { free(malloc(n)); }\n"
                         "__global__ void k() { f(4); f(threadIdx.x); }\n", "its size is not known to be the same")

    def test_who_comes_apart_within_the_function(self):
        self.assert_left("__device__ void f() {\n  if (threadIdx.x < 3) return;\n  free(malloc(4));\n}\n"
                         "__global__ void k() { f(); }\n", "not (threadIdx.x < 3) (line 2)")

    def test_functions_that_cannot_have_one_more_parameter(self):
        body = "{ free(malloc(4)); }\n"
        kernel = "__global__ void k(int n) { f(); }\n"
        for text, why in (
                (f"__device__ void f(int n = 3) {body}{kernel}", "other numbers of arguments"),
                (f"__device__ void f() {body}void (*const p)() = f;\n{kernel}", "the address of f() is taken"),
                (f"__device__ void f() {body}__device__ void f(int) {{}}\n{kernel}", "more than one f()"),
                (f"struct S {{ __device__ virtual void f() {body} }};\n__global__ void k() {{ S s; s.f(); }}\n",
                 "f() is virtual"),
                (f"struct B {{ __device__ virtual void f(); }};\nstruct S : B {{ __device__ void f() {body} }};\n"
                 "__global__ void k() { S s; s.f(); }\n", "f() is virtual"),
                (f"struct S {{ __device__ void operator()() {body} }};\n__global__ void k() {{ S s; s(); }}\n",
                 "operator()() is no plain function"),
                (f"struct S {{ __device__ S() {body} }};\n__global__ void k() {{ S s; }}\n",
                 "S() is no plain function"),
                (f"struct S {{ __device__ void f() {body} }};\n__global__ void k() {{ S s; s.f(); }}\n"
                 "auto p = &S::f;\n", "the address of f() is taken"),
                (f"struct S {{ __device__ void f() {body} }};\n__global__ void k() {{ S s; s.f(); }}\n"
                 "template <class T> auto of() { return &T::f; }\n", "the address of f() is taken"),
                (f"struct S {{ __device__ void f() {body} }};\nstruct R : S {{ int f; }};\n"
                 "__global__ void k() { S s; if (threadIdx.x < 3) s.f(); }\n", "no kernel of these files calls f()"),
                (f"__host__ __device__ void f() {body}{kernel}", "its function is for hosts, too"),
                ("using V = void;\n__device__ void f(V) { free(malloc(4)); }\n" + kernel, "written in an unusual way"),
                ("__device__ void f(int* n) { free(malloc(4)); }\n__global__ void k(int n) {\n  f(&n);\n"
                 "  int a __attribute__((cleanup(f))) = n;\n}\n", "the address of f() is taken"),
                (f"bool all_alike;\n__device__ void f() {{ bool b = all_alike; free(malloc(4)); }}\n{kernel}",
                 "f() has something called all_alike"),
                ("__device__ void f(int n) { free(malloc(4)); if (n) f(n - 1); }\n"
                 "__global__ void k(int n) { f(n); }\n", "f() calls itself"),
                ("__device__ void g(int n);\n__device__ void f(int n) { free(malloc(4)); if (n) g(n - 1); }\n"
                 "__device__ void g(int n) { f(n); }\n__global__ void k(int n) { f(n); }\n", "f() calls itself"),
                ("__global__ void k() {\n  auto f = [&]() { free(malloc(4)); };\n  f();\n}\n",
                 "a lambda is no plain function"),
                (f"__device__ void f() {body}", "no kernel of these files comes to it")):
            with self.subTest(why):
                self.assert_left(text, why)


class MembersTest(RewriteTest):
    def test_members_are_told_as_functions_are(self):
        after, said = self.fix_text("""
            struct Solver {
              int n;
              __device__ void step(int m) const;
              __device__ static void fixed() { free(malloc(8)); }
              __device__ void both() { this->step(n); Solver::fixed(); }
            };
            __device__ void Solver::step(int m) const { free(malloc(m)); }
            template <class S> __device__ void any(S& s) { s.step(3); }
            __global__ void k(Solver s) {
              Solver* p = &s;
              p->both();
              if (threadIdx.x < 4) s.step(4);
              any(s);
            }
            """)
        self.assertEqual(said, "")
        self.assertEqual(after, """
            #include "coalesced.cuh"
            struct Solver {
              int n;
              __device__ void step(int m, bool all_alike = false) const;
              __device__ static void fixed(bool all_alike = false) { free(coalesced_malloc(8, all_alike)); }
              __device__ void both(bool all_alike = false) { this->step(n, all_alike); Solver::fixed(all_alike); }
            };
            __device__ void Solver::step(int m, bool all_alike) const { free(coalesced_malloc(m, all_alike)); }
            template <class S> __device__ void any(S& s) { s.step(3); }
            __global__ void k(Solver s) {
              Solver* p = &s;
              p->both(true);
              if (threadIdx.x < 4) s.step(4);
              any(s);
            }
            """.replace('            #inc', "#inc"))

    def test_an_object_that_each_thread_has_its_own_of(self):
        self.assert_left("struct S { int n; __device__ void f() { free(malloc(n)); } };\n"
                         "__global__ void k() { S s{(int)threadIdx.x}; s.f(); }\n", "its size is not known")


class NamesTest(RewriteTest):
    """What can be changed by another name than its own."""

    def test_what_expressions_name(self):
        before = ("struct S { int n; __device__ int& get() { return n; } __device__ S& self() { return *this; }\n"
                  "  __device__ void set() { n = threadIdx.x; } };\n__device__ int& id(int& x) { return x; }\n"
                  "__device__ void set(int& x) { x = threadIdx.x; }\n")
        for statements in ("(n ? a : b) = threadIdx.x;", "int& r = n ? b : n > 3 ? b : a; r = threadIdx.x;",
                           "(a = 5) = threadIdx.x;", "(n, a) += threadIdx.x;", "int* p = &++a; *p = threadIdx.x;",
                           "int& r = (a += 3); r = threadIdx.x;", "set(a = 5);", "set(n ? a : b);", "set(++a);",
                           "int& r = id(a); r = threadIdx.x;", "set(id(a));"):
            with self.subTest(statements):
                self.assert_left(f"{before}__global__ void k(int n) {{\n  int a = 4, b = 4;\n  {statements}\n"
                                 "  free(malloc(a));\n}\n", "its size is not known to be the same")
        for statements in ("(n ? s : t).n = threadIdx.x;", "(n ? s : t).set();", "(s = t).set();", "(n, s).set();",
                           "s.self().set();", "int& r = s.get(); r = threadIdx.x;"):
            with self.subTest(statements):
                self.assert_left(f"{before}__global__ void k(int n) {{\n  S s{{4}}, t{{4}};\n  {statements}\n"
                                 "  free(malloc(s.n));\n}\n", "its size is not known to be the same")

    def test_what_takes_the_place_of_malloc_is_not_hidden(self):
        body = "{ free(::malloc(4)); }"
        for text in (f"struct S {{ __device__ void* {TAKES}(size_t, bool); __device__ void f() {body} }};\n"
                     "__global__ void k(S s) { s.f(); }\n",
                     f"__global__ void k(int {TAKES}) {body}\n",
                     f"namespace a {{ __device__ void* {TAKES}(size_t, int); __global__ void k() {body} }}\n"):
            with self.subTest(text):
                self.assert_left(text, f"something else is called {TAKES}")
        after, _ = self.fix_text(f"struct S {{ __device__ void* {TAKES}(size_t); }};\n__global__ void k() {body}\n")
        self.assertIn(f"free({TAKES}(4, true));", after)


class OverloadsTest(RewriteTest):
    """Functions and members that share their name with others."""

    BEFORE = "__device__ void f(int) { free(malloc(4)); }\n"
    AFTER = f"__device__ void f(int, bool all_alike = false) {{ free({TAKES}(4, all_alike)); }}\n"
    OTHER = "__device__ void f(double) {}\n"
    CALLS = "__global__ void k() { f(3); f(3.0); }\n"

    def test_the_corpus_becomes_the_golden_diff(self):
        shutil.copy(CORPUS / "overloads.cu", self.folder)
        diff, said = self.fix("overloads.cu")
        self.assertEqual(diff, golden("overloads.diff"))
        self.assertEqual(said.split("\n"), [
            "haloheap-mallocs: overloads.cu:47: malloc(n * sizeof(double)) stays as it is: no kernel of these files "
            "calls sum() with all threads of a block.",
            "haloheap-mallocs: overloads.cu:62: malloc(n) stays as it is: there is more than one step(), and another "
            "one may be called with one more argument.", ""])

    def test_what_is_rewritten(self):
        old, new = self.BEFORE.rstrip(), self.AFTER.rstrip()
        constant = old.replace("(int)", "(int) const")
        for before, after in (
                (self.BEFORE + self.OTHER + self.CALLS, self.AFTER + self.OTHER +
                 "__global__ void k() { f(3, true); f(3.0); }\n"),
                (f"{self.BEFORE}__device__ void f();\n__device__ void f(int, int, int);\n"
                 "__global__ void k() { f(3); f(4, 5, 6); }\n",
                 f"{self.AFTER}__device__ void f();\n__device__ void f(int, int, int);\n"
                 "__global__ void k() { f(3, true); f(4, 5, 6); }\n"),
                (f"{self.BEFORE}{self.OTHER}template <class T> __global__ void k(T x, int n) {{ f(n); f(x); }}\n"
                 "int main() { k<<<1, 32>>>(3, 4); }\n",
                 f"{self.AFTER}{self.OTHER}template <class T> __global__ void k(T x, int n) {{ f(n, true); f(x); }}\n"
                 "int main() { k<<<1, 32>>>(3, 4); }\n"),
                (f"struct S {{ {old}\n{constant} }};\n"
                 "__global__ void k(S s, const S& t) { s.f(3); if (threadIdx.x < 4) t.f(4); else t.f(5); }\n",
                 f"struct S {{ {new}\n{constant} }};\n"
                 "__global__ void k(S s, const S& t) { s.f(3, true); if (threadIdx.x < 4) t.f(4); else t.f(5); }\n"),
                (f"struct B {{ {old} }};\nstruct S : B {{ __device__ void f(int) {{}} }};\n"
                 "__global__ void k(S s) { s.B::f(3); s.f(4); }\n",
                 f"struct B {{ {new} }};\nstruct S : B {{ __device__ void f(int) {{}} }};\n"
                 "__global__ void k(S s) { s.B::f(3, true); s.f(4); }\n"),
                (f"template <class T> struct S {{ {old} }};\n"
                 f"template <> struct S<char> {{ {old} }};\n"
                 "__global__ void k(S<int> s, S<char> t) { s.f(3); if (threadIdx.x < 4) t.f(4); }\n",
                 f"template <class T> struct S {{ {new} }};\n"
                 f"template <> struct S<char> {{ {old} }};\n"
                 "__global__ void k(S<int> s, S<char> t) { s.f(3, true); if (threadIdx.x < 4) t.f(4); }\n")):
            with self.subTest(before):
                self.assert_rewritten(before, after, says=None)

    def test_what_is_left(self):
        several, taken = "there is more than one f(), ", "the address of f() is taken"
        more, special = f"{several}and another one may be called with one more", f"{several}of which one is a template"
        brought = f"{several}and a declaration with `using` may bring one beside another"
        kernel, member = "__global__ void k() { f(3); }\n", f"struct B {{ {self.BEFORE} }};\n"
        for text, why in (
                (f"{self.BEFORE}__device__ void f(int, char) {{}}\n{kernel}", more),
                (f"{self.BEFORE}__device__ void f(int*, int, int = 3);\n{kernel}", more),
                (f"{self.BEFORE}__device__ void f(int*, ...);\n{kernel}", more),
                (f"{member}template <class... T> struct S {{ __device__ void f(T...); }};\n"
                 "__global__ void k(B b) { b.f(3); }\n", more),
                (f"{self.BEFORE}template <class T> __device__ void f(T*) {{}}\n{kernel}", special),
                (f"{member}struct f {{ __device__ f(int, int) {{}} }};\n"
                 "__global__ void k(B b) { b.f(3); }\n", special),
                (f"{member}struct S : B {{ using B::f; __device__ void f(int) {{}} }};\n"
                 "__global__ void k(B b) { b.f(3); }\n", brought),
                (f"template <class T> {member}template <class T> struct S : B<T> {{\n  using B<T>::f;\n"
                 "  __device__ void f(int) {}\n};\n__global__ void k(B<int> b) { b.f(3); }\n", brought),
                (f"{self.BEFORE}{self.OTHER}{kernel}"
                 "__device__ void g() { auto p = static_cast<void (*)(int)>(f); p(3); }\n", taken),
                (f"{self.BEFORE}{self.OTHER}{kernel}template <void (*F)(int)> __device__ void call() {{ F(3); }}\n"
                 "__global__ void g() { call<f>(); }\n", taken),
                (f"{self.BEFORE}{self.OTHER}__global__ void k() {{ if (threadIdx.x < 4) f(3); f(3.0); }}\n",
                 "no kernel of these files calls f() with all threads of a block")):
            with self.subTest(text):
                self.assert_left(text, why)

    def test_a_declaration_of_which_each_file_makes_a_function_of_its_own(self):
        self.write("f.cuh", f"#pragma once\nstatic {self.BEFORE}")
        self.write("a.cu", '#include "f.cuh"\n__global__ void a() { f(3); }\n')
        self.write("b.cu", '#include "f.cuh"\n__global__ void b() { void (*p)(int) = f; p(3); }\n')
        diff, said = self.fix("f.cuh", "a.cu", "b.cu")
        self.assertEqual(diff, "")
        self.assertIn("there is more than one f(), which several files make of one declaration", said)

    def test_a_call_that_means_another_function_in_another_file(self):
        header = "#pragma once\n__device__ void f(long);\nstatic __global__ void k(int n) { f(n); }\n"
        self.write("k.cuh", header)
        self.write("a.cu", '#include "k.cuh"\n__device__ void f(long) {}\n')
        self.write("b.cu", f'{self.BEFORE}#include "k.cuh"\n')
        diff, said = self.fix("k.cuh", "a.cu", "b.cu")
        self.assertEqual(diff, "")
        self.assertIn("it depends on the file which f() is called", said)


class TemplatesTest(RewriteTest):
    def test_kernels_that_are_templates(self):
        for before in ("template <class T> __global__ void k(T* in, int n) {{ T* t = (T*){}sizeof(T){}; free(t); }}\n",
                       "template <class T> __global__ void k(int n) {{ if constexpr (sizeof(T) > 4) free({}n{}); }}\n",
                       "template <int N> __global__ void k(int n) {{ if (n > N) free({}N * 4{}); }}\n"):
            with self.subTest(before):
                after, said = self.fix_text(before.format("malloc(", ")"))
                self.assertEqual(after, '#include "coalesced.cuh"\n' + before.format(f"{TAKES}(", ", true)"))
                self.assertEqual(said, "")

    def test_what_an_instance_in_another_file_may_do_is_not_known(self):
        launched = "int main() { k<<<1, 32>>>(3); }\n"
        unknown = "what it asks for depends on a parameter of a template"
        for text, why in (
                ("template <class T> __global__ void k(T x) { free(malloc((size_t)x)); }\n", "its size is not known"),
                ("template <class T> __global__ void k(T x) { free(malloc(T::n)); }\n", unknown),
                ("template <class T> __global__ void k(T x) { free(malloc(x)); }\n" + launched, unknown),
                ("template <class T> __global__ void k(T x) { if (x > 3) free(malloc(4)); }\n" + launched, "x > 3"),
                ("template <class T> __global__ void k(T x) { if (x()) return; free(malloc(4)); }\n", "not (x())"),
                ("template <class T> __device__ int f(T x) { return 3; }\n"
                 "template <class T> __global__ void k(T x) { int n = f(x); free(malloc(n)); }\n" + launched,
                 "its size is not known"),
                ("template <class T> __global__ void k(T x) {\n  auto f = [&]() { free(malloc(4)); };\n  f();\n}\n",
                 "a lambda is no plain function")):
            with self.subTest(text):
                self.assert_left(text, why)

    def test_the_corpus_becomes_the_golden_diff(self):
        shutil.copy(CORPUS / "templates.cu", self.folder)
        diff, said = self.fix("templates.cu")
        self.assertEqual(diff, golden("templates.diff"))
        self.assertEqual(said, "haloheap-mallocs: templates.cu:74: malloc(32) stays as it is: not all threads of a "
                               "block come to it: Who::takes_part() (line 73).\n")

    def test_functions_that_are_templates(self):
        make = "template <class T> __device__ void f(int n{}) {{ free({}n * sizeof(T){}); }}\n"
        before = make.format("", "malloc(", ")")
        after = make.format(", bool all_alike = false", f"{TAKES}(", ", all_alike)")
        for calls, told in (
                ("__global__ void k(int n) { f<int>(n); if (n) f<long>(3); if (threadIdx.x) f<int>(4); }\n",
                 "__global__ void k(int n) { f<int>(n, true); if (n) f<long>(3, true); "
                 "if (threadIdx.x) f<int>(4); }\n"),
                ("using I = int;\nnamespace a { using ::f; }\n__global__ void k(int n) { a::f<I>(n); }\n",
                 "using I = int;\nnamespace a { using ::f; }\n__global__ void k(int n) { a::f<I>(n, true); }\n"),
                ("template <class T> __global__ void k(T x, int n) { f<T>(n); if (x) f<T>(3); f<int>(x); }\n",
                 "template <class T> __global__ void k(T x, int n) { f<T>(n, true); if (x) f<T>(3); f<int>(x); }\n"),
                ("template <class T> __device__ void g(T x, int n) { ::f<T>(n); }\n"
                 "template <class T> __global__ void k(T x, int n) { ::g(x, n); g(x, 3); }\n"
                 "int main() { k<<<1, 32>>>(3, 4); }\n",
                 "template <class T> __device__ void g(T x, int n, bool all_alike = false) { ::f<T>(n, all_alike); }\n"
                 "template <class T> __global__ void k(T x, int n) { ::g(x, n, true); g(x, 3); }\n"
                 "int main() { k<<<1, 32>>>(3, 4); }\n")):
            with self.subTest(calls):
                self.assert_rewritten(before + calls, after + told)

    def test_members_of_classes_that_are_templates(self):
        for before, after in (
                ("struct S { template <class T> __device__ void f(T x) { free(malloc(sizeof(T))); } };\n"
                 "__global__ void k() { S s; s.f(3); s.f<long>(4); }\n",
                 "struct S { template <class T> __device__ void f(T x, bool all_alike = false) "
                 f"{{ free({TAKES}(sizeof(T), all_alike)); }} }};\n"
                 "__global__ void k() { S s; s.f(3, true); s.f<long>(4, true); }\n"),
                ("template <class T> struct S { static __device__ void* make(int n) { return malloc(n); } };\n"
                 "template <class T> using A = S<T*>;\ntypedef A<int> B;\n"
                 "__global__ void k(int n) { free(B::make(n)); }\n",
                 "template <class T> struct S { static __device__ void* make(int n, bool all_alike = false) "
                 f"{{ return {TAKES}(n, all_alike); }} }};\n"
                 "template <class T> using A = S<T*>;\ntypedef A<int> B;\n"
                 "__global__ void k(int n) { free(B::make(n, true)); }\n"),
                ("template <class A> struct S { template <class T> __device__ void f(T x); };\n"
                 "template <class A> template <class T> __device__ void S<A>::f(T x) { free(malloc(sizeof(A))); }\n"
                 "__global__ void k() { S<int> s; s.template f<char>(3); }\n",
                 "template <class A> struct S { template <class T> __device__ void f(T x, bool all_alike = false); };\n"
                 "template <class A> template <class T> __device__ void S<A>::f(T x, bool all_alike) "
                 f"{{ free({TAKES}(sizeof(A), all_alike)); }}\n"
                 "__global__ void k() { S<int> s; s.template f<char>(3, true); }\n")):
            with self.subTest(before):
                self.assert_rewritten(before, after)

    def test_templates_that_cannot_have_one_more_parameter(self):
        head, body = "template <class T> __device__ void", "{ free(malloc(sizeof(T))); }\n"
        function, member = f"{head} f(T) {body}", f"template <class T> struct S {{ __device__ void f(T) {body} }};\n"
        calls, calls_member = "__global__ void k() { f(3); }\n", "__global__ void k() { S<int> s; s.f(3); }\n"
        asked, taken, many = "asked for by its parameters", "the address of f() is taken", "there is more than one f()"
        only_if = "template <bool B> struct If {}; template <> struct If<true> { using type = void; };\n"
        for text, why in (
                (f"{function}template <> __device__ void f<char>(char) {{}}\n{calls}", many),
                (f"{member}template <> __device__ void S<char>::f(char) {{}}\n{calls_member}", many),
                (f"{function}{head} f(T*) {{}}\n{calls}", many),
                (f"{function}__device__ void f(int, bool) {{}}\n{calls}", many),
                (f"{only_if}template <class T> __device__ typename If<sizeof(T) == 4>::type f(T) {body}"
                 f"template <class T> __device__ typename If<sizeof(T) == 8>::type f(T) {{}}\n{calls}", many),
                (f"{function}template\n__device__ void f(int);\n{calls}", asked),
                (f"{function}extern template __device__ void f<int>(int);\n{calls}", asked),
                (f"{member}template void S<int>::f(int);\n{calls_member}", asked),
                (f"{function}__global__ void k() {{ f(3); void (*p)(int) = f; p(4); }}\n", taken),
                (f"{function}template <void (*F)(int)> __device__ void call() {{ F(3); }}\n"
                 "__global__ void k() { f(3); call<f>(); }\n", taken),
                (f"{function}{head} g(T x) {{ x.template call<f<T>>(); }}\n{calls}", taken),
                (f"template <class T> struct S {{ static __device__ void f(T) {body} }};\n"
                 f"template <class T> auto of(T x) {{ return x.call(S<T>::f); }}\n{calls_member}", taken),
                ("template <class... T> __device__ void f(T...) { free(malloc(sizeof...(T) * 8)); }\n" + calls,
                 "other numbers of arguments"),
                (f"{head} f(T, int n = 3) {body}{calls}", "other numbers of arguments"),
                ("struct B { __device__ virtual void f(int); };\n" +
                 member.replace("struct S", "struct S : B").replace("f(T)", "f(int)") + calls_member, "f() is virtual"),
                ("struct B {};\n" + member.replace("struct S", "struct S : T").replace("f(T)", "f(int)") +
                 "__global__ void k() { S<B> s; s.f(3); }\n", "f() may be virtual in a base"),
                ("struct S { template <class T> __device__ S(T) { free(malloc(4)); } };\n"
                 "__global__ void k() { S s(3); }\n", "is no plain function"),
                (member.replace("class T", "class T, bool all_alike") + calls_member.replace("int", "int, true"),
                 "f() has something called all_alike"),
                ("template <int N> __device__ void f() { free(malloc(4)); if constexpr (N > 0) f<N - 1>(); }\n"
                 "__global__ void k() { f<3>(); }\n", "f() calls itself")):
            with self.subTest(text):
                self.assert_left(text, why)

    def test_instances_that_differ(self):
        for text, why in (
                ("template <class T> __device__ void f(T n) { free(malloc((size_t)n)); }\n"
                 "__global__ void k(int n) { f(n); f((long)threadIdx.x); }\n", "its size is not known to be the same"),
                ("template <class T> __device__ void f(T x) {\n"
                 "  if constexpr (sizeof(T) > 4) { if (threadIdx.x < 4) return; }\n  free(malloc(8));\n}\n"
                 "__global__ void k() { f(3); f(3.0); }\n", "not (threadIdx.x < 4) (line 2)"),
                ("template <class T> __device__ void f(T x) {\n"
                 "  if constexpr (sizeof(T) > 4) { if (threadIdx.x < 4) return; }\n  free(malloc(8));\n}\n"
                 "template <class T> __global__ void k(int n) { f<int>(n); f<T>(n); }\n", "not (threadIdx.x < 4)"),
                ("template <class T> struct S { T n; __device__ void f() { free(malloc(n.bytes)); } };\n"
                 "struct N { int bytes; };\n__global__ void k() { S<N> s{{(int)threadIdx.x}}; s.f(); }\n",
                 "depends on a parameter of a template"),
                ("template <class T> __device__ void f(T x) { free(malloc(8)); }\n"
                 "template <class T> __global__ void k(T x) { f(x); }\nint main() { k<<<1, 32>>>(3); }\n",
                 "other instances of a template may call another f()"),
                ("template <class T> struct S { __device__ void f(int n) { free(malloc(n)); } };\n"
                 "template <class T> __global__ void k(int n) { S<T> s; s.f(n); }\n"
                 "int main() { k<int><<<1, 32>>>(3); }\n", "other instances of a template may call another f()"),
                ("template <class T> __device__ void f(int n) { free(malloc(n)); }\n"
                 "template <class T> __global__ void k(int n, T in) { in >> n; f<T>(n); }\n",
                 "its size is not known to be the same")):
            with self.subTest(text):
                self.assert_left(text, why)

    def test_instances_in_several_files(self):
        header = "#pragma once\ntemplate <class T> __device__ void f(int n{}) {{ free({}n{}); }}\n"
        self.write("f.cuh", header.format("", "malloc(", ")"))
        self.write("a.cu", '#include "f.cuh"\n__global__ void a(int n) { f<int>(n); }\n')
        self.write("b.cu", '#include "f.cuh"\n__global__ void b() { if (threadIdx.x < 4) f<long>(3); }\n')
        self.write("c.cu", '#include "f.cuh"\n__global__ void c() { f<char>(8); }\n')  # not among the files given
        _, said = self.fix("b.cu", "f.cuh")
        self.assertIn("no kernel of these files calls f() with all threads of a block", said)
        diff, said = self.fix("a.cu", "b.cu", "f.cuh")
        self.assertEqual(said, "")
        self.patch(diff)
        self.assertEqual((self.folder / "f.cuh").read_text(encoding="utf-8").replace('#include "coalesced.cuh"\n', ""),
                         header.format(", bool all_alike = false", f"{TAKES}(", ", all_alike)"))
        self.assertIn("f<int>(n, true);", (self.folder / "a.cu").read_text(encoding="utf-8"))
        for name in ("a.cu", "b.cu", "c.cu"):
            self.assertEqual(run(name)[0], 0)  # it parses


class SitesTest(RewriteTest):
    def kernel(self, statements, before=""):
        return f"{before}__global__ void k(const int* in, int n, void** out) {{\n  {statements}\n}}\n"

    def test_what_is_rewritten(self):
        for before, after in (
                ("free(malloc(n));", f"free({TAKES}(n, true));"),
                ("free(::malloc(4));", f"free({TAKES}(4, true));"),
                ("free(std::malloc(n /* bytes */\n    * 4));", f"free({TAKES}(n /* bytes */\n    * 4, true));"),
                ("for (int i = 1; i < n; ++i) free(malloc(i));",
                 f"for (int i = 1; i < n; ++i) free({TAKES}(i, true));"),
                ("if (in[blockIdx.x] > 0) free(malloc(4));", f"if (in[blockIdx.x] > 0) free({TAKES}(4, true));"),
                ("free(malloc(4)); free(malloc(44));", f"free({TAKES}(4, true)); free({TAKES}(44, true));")):
            with self.subTest(before):
                changed, said = self.fix_text(self.kernel(before))
                self.assertEqual(changed, '#include "coalesced.cuh"\n' + self.kernel(after))
                self.assertEqual(said, "")

    def test_what_is_left(self):
        for statements, why in (
                ("free(malloc(threadIdx.x));", "its size is not known to be the same"),
                ("if (threadIdx.x < 64) free(malloc(4));", "not all threads of a block come to it"),
                ("if (in[threadIdx.x]) return;\n  free(malloc(4));", "not (in[threadIdx.x]) (line 2)"),
                ("int i = 0;\n  do { free(malloc(4)); } while (++i < in[threadIdx.x]);", "++i < in[threadIdx.x]"),
                ("void* p;\n  if (in[threadIdx.x] && (p = malloc(4)) != nullptr) free(p);", "in[threadIdx.x]"),
                ("out[threadIdx.x] = malloc(4);", "its block is not given back in these files"),
                ("delete (char*)malloc(4);", "its block goes to delete, not to free alone"),
                ("void* p = malloc(4);\n  p = realloc(p, 8);\n  free(p);", "its block goes to realloc"),
                ("free(malloc(4)); free(malloc(4));", "the same is written twice in its line")):
            with self.subTest(statements):
                self.assert_left(self.kernel(statements), why)

    def test_new_and_delete_are_rewritten_together(self):
        for before, after in (
                ("int* p = new int[n];\n  p[0] = 3;\n  delete[] p;",
                 f"int* p = static_cast<int*>({TAKES}(sizeof(int) * n, true));\n  p[0] = 3;\n  ::free(p);"),
                ("auto p = new unsigned long[n + 1];\n  if (p) delete [] p;",
                 f"auto p = static_cast<unsigned long*>({TAKES}(sizeof(unsigned long) * (n + 1), true));\n"
                 "  if (p) ::free(p);"),
                ("float** p = new float*[4];\n  delete[] p;",
                 f"float** p = static_cast<float**>({TAKES}(sizeof(float*) * 4, true));\n  ::free(p);"),
                ("struct S { int a; } s;\n  S* p = new S;\n  p->a = *in;\n  if (n) { delete p; return; }\n  delete p;",
                 f"struct S {{ int a; }} s;\n  S* p = static_cast<S*>({TAKES}(sizeof(S), true));\n  p->a = *in;\n"
                 "  if (n) { ::free(p); return; }\n  ::free(p);")):
            with self.subTest(before):
                self.assert_rewritten(self.kernel(before), self.kernel(after))

    def test_new_in_a_function_is_told(self):
        after, said = self.fix_text("__device__ void f(int n) { int* p = new int[n]; delete[] p; }\n"
                                    "__global__ void k(int n) { f(n); if (threadIdx.x < 3) f(2); }\n")
        self.assertEqual(said, "")
        self.assertEqual(after, '#include "coalesced.cuh"\n__device__ void f(int n, bool all_alike = false) { int* p = '
                                f"static_cast<int*>({TAKES}(sizeof(int) * n, all_alike)); ::free(p); }}\n"
                                "__global__ void k(int n) { f(n, true); if (threadIdx.x < 3) f(2); }\n")

    def test_new_whose_delete_may_have_another_block_is_left(self):
        alone, other = "not for delete in the same function alone", "may come to hold another block"
        unusual, own = "written in an unusual way", "does not begin in a variable of its own"
        before = ("struct Made { int a = 3; };\nusing Four = int[4];\n__device__ void end(int* p) { delete[] p; }\n"
                  "__device__ void move(int*& p) { ++p; }\n")
        for statements, why in (
                ("delete new int;", own),
                ("int* p;\n  p = new int;\n  delete p;", own),
                ("int* p = new int[n];\n  int* q = p;\n  delete[] q;", alone),
                ("int* p = new int[n];\n  end(p);", alone),
                ("int* p = new int[n];\n  out[0] = p;\n  delete[] p;", alone),
                ("int* p = new int[n];\n  free(p);", alone),
                ("int* p = new int[n];", alone),
                ("int* p = new int[n];\n  if (n) p = nullptr;\n  delete[] p;", other),
                ("int* p = new int[n];\n  ++p;\n  delete[] p;", other),
                ("int* p = new int[n];\n  int** q = &p;\n  delete[] p;", other),
                ("int* p = new int[n];\n  int*& q = p;\n  delete[] p;", other),
                ("int* p = new int[n];\n  auto f = [&]() { --p; };\n  f();\n  delete[] p;", other),
                ("int* p = new int;\n  auto f = [&q = p]() { q = nullptr; };\n  if (n) f();\n  delete p;", other),
                ("int* p = new int;\n  if (n > 2) out[0] = &(p[0] = 3);\n  else delete p;", alone),
                ("int* p = new int;\n  if (n > 2) out[0] = &(n, ++*p);\n  else delete p;", alone),
                ("int* p = new int[n];\n  if (n > 2) out[0] = &(n ? p[1] : p[0]);\n  else delete[] p;", alone),
                ("int* p = new int(3);\n  delete p;", unusual),
                ("int* p = new int[n]();\n  delete[] p;", unusual),
                ("int* p = new (std::nothrow) int[n];\n  delete[] p;", unusual),
                ("int (*p)[3] = new int[n][3];\n  delete[] p;", unusual),
                ("int* p = new Four;\n  delete[] p;", unusual),
                ("const int* p = new int[n];\n  delete[] p;", "free does not take p"),
                ("Made* p = new Made;\n  delete p;", "Made is more than numbers"),
                ("int* p = new int[threadIdx.x];\n  delete[] p;", "its size is not known to be the same")):
            with self.subTest(statements):
                self.assert_left(self.kernel(statements, before), why)
        for operator in ("void* operator new(size_t n)", "void operator delete(void* p)"):
            self.assert_left(f"struct S {{ int a; __device__ static {operator}; }};\n" +
                             self.kernel("S* p = new S;\n  delete p;"),
                             "a class has an operator new or delete of its own")

    def test_a_count_that_is_no_number_becomes_one(self):
        before = ("enum E { A = 4 };\nstruct N { int n; __device__ operator int() const { return n; } };\n"
                  "__device__ size_t operator*(size_t, E) { return 1; }\n"
                  "__device__ size_t operator*(size_t, N) { return 1; }\n"
                  "__global__ void k(%s n) { int* p = %s; %s; }\n")
        for kind in "EN":
            asking = f"static_cast<int*>({TAKES}(sizeof(int) * static_cast<decltype(sizeof 0)>(n), true))"
            self.assert_rewritten(before % (kind, "new int[n]", "delete[] p"), before % (kind, asking, "::free(p)"),
                                  says=None)

    def test_macros_are_left(self):
        why = "a macro has a part in how it is written"
        for before, statements in (("#define N 16\n", "free(malloc(N));"),
                                   ("#define GET(n) malloc(n)\n", "free(GET(4));"),
                                   ("#define CALL(x) x\n", "CALL(free(malloc(4)));"),
                                   ("#define CALL(x) x\n", "CALL(free(\n  malloc(4)));"),
                                   ("#define ALLOCATE malloc\n", "free(ALLOCATE(4));")):
            with self.subTest(statements):
                self.assert_left(self.kernel(statements, before), why)
        twice = "#define TWICE(x) x; x\n"
        self.assert_left(self.kernel("TWICE(free(malloc(4)));", twice), "the same is written twice in its line")

    def test_a_function_that_macros_write_is_left(self):
        self.assert_left("#define FUNCTION(name) __device__ void name()\nFUNCTION(f) { free(malloc(4)); }\n"
                         "__global__ void k() { f(); }\n", "a macro has a part in how it is written")

    def test_what_other_flags_may_change_is_left(self):
        why = "the preprocessor decides what its function does"
        self.assert_left(self.kernel("\n#ifdef FEW\n  if (threadIdx.x < 4)\n#endif\n  free(malloc(4));"), why)
        self.assert_left("__device__ void f() { free(malloc(4)); }\n" +
                         self.kernel("\n#ifdef FEW\n  if (threadIdx.x < 4)\n#endif\n  f();"), why)

    def test_threads_that_a_function_ends_are_not_there(self):
        self.assert_left(self.kernel("if (in[threadIdx.x]) end();\n  free(malloc(4));",
                                     '__device__ void end() { asm volatile("exit;"); }\n'),
                         "a function ends threads in assembly")
        self.assert_left(self.kernel("free(malloc(4));", '__device__ void end() { asm volatile("ex" "it;"); }\n'),
                         "a function ends threads in assembly")

    def test_lines_of_another_file_are_left(self):
        self.assert_left("#line 1\n" + self.kernel("free(malloc(4));"), "its lines are those of another one")

    def test_lines_that_end_as_windows_has_them(self):
        path = self.folder / "a.cu"
        path.write_bytes(b"// a\r\n__global__ void k() {\r\n  free(malloc(4));\r\n}\r\n")
        diff, _ = self.fix("a.cu")
        self.assertEqual([line for line in diff.split("\n") if line.startswith(("+ ", "+#"))],
                         ['+#include "coalesced.cuh"\r', "+  free(coalesced_malloc(4, true));\r"])

    def test_a_name_with_spaces(self):
        self.write("a b.cu", "__global__ void k() { free(malloc(4)); }\n")
        diff, _ = self.fix("a b.cu")
        self.patch(diff)
        self.assertIn("coalesced_malloc(4, true)", (self.folder / "a b.cu").read_text(encoding="utf-8"))

    def test_a_file_that_is_not_in_utf_8(self):
        (self.folder / "a.cu").write_bytes(b"// \xe4\n__global__ void k() { free(malloc(4)); }\n")
        diff, said = self.fix("a.cu")
        self.assertEqual(diff, "")
        self.assertIn("its file is not in UTF-8", said)


class TemplateNewsTest(RewriteTest):
    """New and delete in templates."""

    PLAIN = "::std::is_trivial<{0}>::value && !::std::is_array<{0}>::value && alignof({0}) <= 16"
    INCLUDES = HEADER + "#include <type_traits>\n"

    def kernel(self, statements):
        return ("template <class T, int N>\n__global__ void k(const T* in, int n, T* out) {\n"
                f"  {statements}\n}}\n")

    def test_the_corpus_becomes_the_golden_diff(self):
        shutil.copy(CORPUS / "news.cu", self.folder)
        diff, said = self.fix("news.cu")
        self.assertEqual(diff, golden("news.diff"))
        self.assertEqual(said, "haloheap-mallocs: news.cu:22: new T[n] stays as it is: in other instances of a "
                               "template others may get to know the block of own.\n")

    def test_the_compiler_decides_of_each_instance(self):
        asks, frees = f"({self.PLAIN.format('T')} ? static_cast<T*>({TAKES}(sizeof(T)", "? ::free((void*)p) : delete"
        for before, after, kinds in (
                ("T* p = new T;\n  *p = in[0];\n  out[0] = *p;\n  delete p;",
                 f"T* p = {asks}, true)) : new T);\n  *p = in[0];\n  out[0] = *p;\n"
                 f"  ({self.PLAIN.format('T')} {frees} p);", ("int", "volatile long", "int*", "Made", "Wide")),
                ("T* p = new T[n + 1];\n  if (!p || nullptr == p) return;\n  const T a = -p[0];\n"
                 "  out[(int)p[0]] = a + static_cast<T>(p[1]);\n  delete[] p;",
                 f"T* p = {asks} * (n + 1), true)) : new T[n + 1]);\n  if (!p || nullptr == p) return;\n"
                 f"  const T a = -p[0];\n  out[(int)p[0]] = a + static_cast<T>(p[1]);\n"
                 f"  ({self.PLAIN.format('T')} {frees}[] p);",
                 ("int", "double")),
                ("T* p = new T[n];\n  delete[] p;",
                 f"T* p = {asks} * n, true)) : new T[n]);\n  ({self.PLAIN.format('T')} {frees}[] p);",
                 ("int[3]", "Made", "Wide"))):
            with self.subTest(before):
                changed, said = self.fix_text(self.kernel(before))
                self.assertEqual(said, "")
                self.assertEqual(changed, self.INCLUDES + self.kernel(after))
                calls = "".join(f"  k<{kind}, 1><<<1, 32>>>(nullptr, 3, nullptr);\n" for kind in kinds)
                self.write("b.cu", '#include "a.cu"\nstruct Made { int a; __device__ Made(); __device__ ~Made(); };\n'
                                   f"struct alignas(64) Wide {{ int a; }};\nint main() {{\n{calls}}}\n")
                self.assertEqual(run("b.cu")[0], 0)  # which has other instances

    def test_where_the_type_is_known_nothing_is_decided(self):
        for before, after in (
                ("int* p = new int[N];\n  p[0] = 3;\n  out[p[0]] = in[0];\n  delete[] p;",
                 f"int* p = static_cast<int*>({TAKES}(sizeof(int) * N, true));\n  p[0] = 3;\n  out[p[0]] = in[0];\n"
                 "  ::free(p);"),
                ("T** p = new T*[n];\n  delete[] p;",
                 f"T** p = static_cast<T**>({TAKES}(sizeof(T*) * n, true));\n  ::free(p);")):
            with self.subTest(before):
                self.assert_rewritten(self.kernel(before), self.kernel(after))

    def test_types_of_a_class_that_is_a_template(self):
        before = ("template <class T> struct S {{\n  using Item = T;\n  Item last;\n  __device__ void f(int n{}) {{\n"
                  "    Item* p = {};\n    p[0] = last;\n    {};\n  }}\n}};\n"
                  "__global__ void k(S<int> s, int n) {{ s.f(n{}); if (threadIdx.x < 4) s.f(3); }}\n")
        plain = self.PLAIN.format("Item")
        self.assert_rewritten(before.format("", "new Item[n]", "delete[] p", ""), before.format(
            ", bool all_alike = false",
            f"({plain} ? static_cast<Item*>({TAKES}(sizeof(Item) * n, all_alike)) : new Item[n])",
            f"({plain} ? ::free((void*)p) : delete[] p)", ", true"), self.INCLUDES)

    def test_blocks_that_others_may_get_to_know_in_other_instances(self):
        known, pointer = "in other instances of a template others may get to know", "may be more than a pointer"
        for statements, why in (
                ("T* p = new T[n];\n  T& a = p[0];\n  delete[] p;", known),
                ("T* p = new T[n];\n  decltype(auto) a = p[0];\n  delete[] p;", known),
                ("T* p = new T[n];\n  T* a = &(p[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  T* a = p;\n  delete[] p;", known),
                ("T* p = new T[n];\n  max(p[0], in[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  ++p;\n  delete[] p;", known),
                ("T* p = new T[n];\n  max(static_cast<T&>(p[0]), in[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  max(p[0] = in[0], in[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  max(++p[0], in[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  max(p[0] += in[0], in[0]);\n  delete[] p;", known),
                ("T* p = new T[n];\n  T& a = (n, *p);\n  delete[] p;", known),
                ("using R = int&;\n  T* p = new T[n];\n  max((R)p[0], n);\n  delete[] p;", known),
                ("T* p = new int[n];\n  delete[] p;", pointer),
                ("T p = new int[n];\n  delete[] p;", pointer),
                ("T* p = new T[n];\n  auto f = [=]() { return p[0]; };\n  delete[] p;", known),
                ("T* p = new T;\n  p->a = 3;\n  delete p;", known),
                ("int* p = new int[n];\n  in[0].keep(p);\n  delete[] p;", "not for delete in the same function alone"),
                ("auto p = new T[n];\n  delete[] p;", pointer),
                ("T* p = new T[n]();\n  delete[] p;", "written in an unusual way"),
                ("T* p = new T(3);\n  delete p;", "written in an unusual way"),
                ("T* p = new T[int(in[0])];\n  delete[] p;", "its size is not known to be the same")):
            with self.subTest(statements):
                self.assert_left(self.kernel(statements), why)


class RelativesTest(RewriteTest):
    def kernel(self, statements, before=""):
        return f"{before}__global__ void k(const int* in, int n, size_t m) {{\n  {statements}\n}}\n"

    def test_the_corpus_becomes_the_golden_diff(self):
        shutil.copy(CORPUS / "relatives.cu", self.folder)
        diff, said = self.fix("relatives.cu")
        self.assertEqual(diff, golden("relatives.diff"))
        for line, why in ((17, "its size is not known to be the same for all threads of a block"),
                          (24, "it asks for blocks that are not known to be aligned as those of malloc, to 16 bytes"),
                          (26, "it asks for blocks that are not known to be aligned as those of malloc, to 16 bytes"),
                          (33, "its block goes to realloc, not to free alone"),
                          (34, "realloc takes a block of before, of which only its heap knows how much to keep")):
            self.assertRegex(said, f"relatives.cu:{line}: .* stays as it is: {why}")

    def test_what_is_rewritten(self):
        for before, after in (
                ("free(aligned_alloc(16, n));", f"free({TAKES}(n, true));"),
                ("free(std::aligned_alloc(alignof(double),\n    n * 8));", f"free({TAKES}(n * 8, true));"),
                ("free(realloc((void*)0, n + 1));", f"free({TAKES}(n + 1, true));")):
            with self.subTest(before):
                self.assert_rewritten(self.kernel(before), self.kernel(after))

    def test_calloc_is_cleared_where_it_stands(self):
        for before in ("free(calloc(n, 4));", "int* p = n > 3 ? (int*)::calloc(n++, m) : nullptr;\n  free(p);"):
            with self.subTest(before):
                after, said = self.fix_text(self.kernel(before))
                self.assertIn(f"? {TAKES}(count * each, true) : nullptr; return block == nullptr", after)
                self.assertEqual(said, "")
                self.assertEqual(self.fix("a.cu")[0], "")  # it parses

    def test_what_is_left(self):
        aligned, moved = "not known to be aligned as those of malloc", "realloc takes a block of before"
        for statements, why in (
                ("free(aligned_alloc(32, n));", aligned),
                ("free(aligned_alloc(12, n));", aligned),
                ("free(aligned_alloc(0, n));", aligned),
                ("free(aligned_alloc(m, n));", aligned),
                ("free(aligned_alloc(16 /* a line */, n));", "written in an unusual way"),
                ("void* p = nullptr;\n  p = realloc(p, n);\n  free(p);", moved),
                ("free(realloc(NULL, n));", "a macro has a part in how it is written"),
                ("free(calloc(n, in[threadIdx.x]));", "its size is not known to be the same"),
                ("if (threadIdx.x < 4) free(calloc(n, 4));", "not all threads of a block come to it"),
                ("delete[] (int*)calloc(n, 4);", "its block goes to delete, not to free alone"),
                ("void* p = calloc(n, 4);\n  free(realloc(p, 4));", "its block goes to realloc, not to free alone")):
            with self.subTest(statements):
                self.assert_left(self.kernel(statements), why)
        self.assert_left(self.kernel("free(calloc(n, 4));", "#define block blockIdx.x\n"),
                         "what clears its block has something called block")
        self.assert_left("template <int block> __global__ void k(int n) { free(calloc(n, block)); }\n",
                         "what clears its block has something called block")
        self.assert_left("template <class T> __global__ void k() { free(aligned_alloc(alignof(T), 64)); }\n", aligned)

    def test_somebodys_own_function_of_the_name_is_a_function(self):
        after, said = self.fix_text("__device__ void* calloc(int n) { return malloc(n); }\n"
                                    "__global__ void k(int n) { free(calloc(n)); }\n")
        self.assertEqual(said, "")
        self.assertIn("__device__ void* calloc(int n, bool all_alike = false) "
                      f"{{ return {TAKES}(n, all_alike); }}", after)
        self.assertIn("free(calloc(n, true));", after)


class IncludeTest(RewriteTest):
    CODE = "__global__ void k() { free(malloc(4)); }\n"

    def include_line(self, text):
        after, _ = self.fix_text(text + self.CODE)
        lines = after.split("\n")
        self.assertEqual(lines.count('#include "coalesced.cuh"'), 1)
        return lines.index('#include "coalesced.cuh"')

    def test_it_stands_behind_the_others(self):
        self.assertEqual(self.include_line("// a\n"), 1)
        self.assertEqual(self.include_line("#include <cstdlib>\n\n#define N 3\n"), 1)
        self.assertEqual(self.include_line("#include <cstdlib>\n#ifdef FOO\n#include <vector>\n#endif\n"), 1)
        self.assertEqual(self.include_line("#ifdef FOO\n#include <vector>\n#endif\n"), 3)
        self.assertEqual(self.include_line('#include "coalesced.cuh"\n'), 0)

    def test_it_stands_within_a_guard(self):
        text = f"#ifndef A_CUH\n#define A_CUH\n#include <cstdlib>\n{self.CODE}#endif\n"
        after, _ = self.fix_text(text)
        self.assertEqual(after.split("\n")[3], '#include "coalesced.cuh"')

    def test_no_condition_hides_it(self):
        self.assert_left(f"#if __cplusplus > 1\n{self.CODE}#endif\n", "no place for an include")


class CorpusTest(RewriteTest):
    def test_rewritten_files_parse_and_are_not_rewritten_again(self):
        rewritten = 0
        for file in sorted(CORPUS.glob("*.cu")):
            shutil.copy(file, self.folder)
            diff, said = self.fix(file.name)
            left = len(said.splitlines())
            if not diff:
                continue
            with self.subTest(file.name):
                self.patch(diff)
                again, said = self.fix(file.name)
                self.assertEqual(again, "")
                beside = diff.count(" : new ")  # stays for the instances of a template that need it
                self.assertLessEqual(len(said.splitlines()), left + beside)
                rewritten += diff.count("\n+") - diff.count("\n+++")
        self.assertGreaterEqual(rewritten, 8)


class ArgumentsTest(FolderTest):
    def test_a_name_that_is_none(self):
        with self.assertRaises(SystemExit):
            run("--fix", pathlib.Path("a.cu"), "--alike", "a b")

    def test_a_function_for_nothing(self):
        with self.assertRaises(SystemExit):
            run(pathlib.Path("a.cu"), "--alike", "a")


if __name__ == "__main__":
    unittest.main()
