#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs against a corpus of kernels whose answers are known, and bad input."""

import json
import os
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

from support import CORPUS, FolderTest, answers, check, differences, expectations, run

from haloheap_mallocs.command import analyse


class CorpusTest(unittest.TestCase):
    def test_every_allocation_is_told_right(self):
        kernels = sites = 0
        for file in sorted(CORPUS.glob("*.cu")):
            sites += check(self, file)
            kernels += file.read_text(encoding="utf-8").count("__global__")
        self.assertGreaterEqual(kernels, 40)
        self.assertGreaterEqual(sites, 60)

    def test_a_wrong_answer_is_noticed(self):
        file = CORPUS / "listing1.cu"
        expected = expectations(file)
        site = analyse([file], None, [])[0]
        wrong = {**expected[site.place.line], "who": "grid"}
        self.assertEqual(differences(wrong, answers(site, wrong)), {"who": ("grid", "part")})


class CommandTest(FolderTest):
    def test_the_papers_listing_is_told_call_by_call(self):
        code, said, _ = run(CORPUS / "listing1.cu")
        self.assertEqual(code, 0)
        self.assertIn("all threads of the grid, called at line", said)
        self.assertIn("some threads, which differ within a warp: threadIdx.x < 4 (line", said)
        self.assertIn("passed to MPI_Alltoall, which is not in these files", said)

    def test_the_readme_shows_what_is_said(self):
        shown = (CORPUS.parent.parent / "README.md").read_text(encoding="utf-8")
        block = shown.split("```\nlisting1.cu:", 1)[1].split("```", 1)[0]
        _, said, _ = run(CORPUS / "listing1.cu")
        self.assertIn(block, said)

    def test_functions_of_another_file_are_followed(self):
        header = self.write("make.cuh", "#pragma once\n__device__ int* make(int n);\n")
        use = self.write("use.cu", '#include "make.cuh"\n__global__ void k(int** out) {\n'
                                   "  if (threadIdx.x < 4) *out = make(3);\n}\n")
        make = self.write("make.cu", '#include "make.cuh"\n__device__ int* make(int n) { return new int[n]; }\n')
        code, said, _ = run("--format", "json", make, use)
        self.assertEqual(code, 0)
        (site,) = json.loads(said)
        self.assertEqual((site["who"], site["kernels"], site["size"]["bytes"]), ("part", ["k"], 12))
        self.assertEqual(pathlib.Path(site["file"]).name, "make.cu")
        self.assertTrue(header.is_file())

    def test_what_kernels_include_and_call_is_known(self):
        source = self.write("a.cu", """
            #include <cooperative_groups.h>
            #include <cuda_runtime.h>
            #include <new>
            namespace cg = cooperative_groups;
            __device__ __noinline__ unsigned mask(int v) { return __match_any_sync(0xffffffff, v); }
            struct __align__(16) P { float4 v; };
            __global__ __launch_bounds__(128) void k(P** out, int* count, int n) {
              cg::thread_block block = cg::this_thread_block();
              P* p = new (std::nothrow) P[n];
              if (p != nullptr) p[0].v = make_float4(1, 2, 3, 4);
              printf("%u %d", mask(n), atomicInc((unsigned*)count, 3u));
              block.sync();
              char room[sizeof(P)];
              P* q = new (room) P;
              out[block.thread_rank()] = n > 3 ? p : q;
            }
            int main() {
              cudaStream_t stream;
              cudaStreamCreate(&stream);
              k<<<1, 32, 0, stream>>>(nullptr, nullptr, 3);
              return cudaStreamSynchronize(stream) == cudaSuccess ? 0 : 1;
            }
            """)
        code, said, error = run("--format", "json", source)
        self.assertEqual((code, error), (0, ""))
        (site,) = json.loads(said)
        self.assertEqual((site["call"], site["who"]), ("new (std::nothrow) P[n]", "grid"))
        self.assertEqual(site["size"]["same_for"], "grid")

    def test_programs_with_the_headers_of_hosts_are_read(self):
        source = self.write("a.cu", """
            #include <iostream>
            #include <map>
            #include <string>
            #include <vector>
            __global__ void k(int** out) { *out = new int[3]; }
            template <class F> __global__ void run(F f) { f(threadIdx.x); }
            int main() {
              std::vector<std::string> names{"a", "b"};
              std::map<int, int> counts;
              std::cout << names.size() << counts.size();
              int** out = nullptr;
              cudaDeviceProp properties;
              cudaGetDeviceProperties(&properties, 0);
              k<<<1, 32>>>(out);
              run<<<1, 32>>>([=] __device__(int i) { out[i] = new int[5]; });
            }
            """)
        code, said, error = run("--format", "json", source)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual([(site["size"]["bytes"], bool(site["escapes"])) for site in json.loads(said)],
                         [(12, True), (20, True)])

    def test_any_header_of_the_library_may_be_included(self):
        kernel = "__global__ void k(int** out) { *out = new int[3]; }\n"
        for include in ("algorithm", "bits/stdc++.h", "execution", "future", "istream", "optional",
                        "regex", "variant"):
            with self.subTest(include):
                source = self.write("a.cu", f"#include <{include}>\n#include <map>\n{kernel}")
                code, said, error = run("--format", "json", source)
                self.assertEqual((code, error, len(json.loads(said))), (0, "", 1))

    def test_headers_of_samples_are_read(self):
        (self.folder / "common").mkdir()
        self.write("common/helper.h", """
            #include <fstream>
            #ifdef __DRIVER_TYPES_H__
            template <class T> void check(T result) { if (result) std::ofstream("log") << cudaGetErrorName(result); }
            #endif
            """)
        source = self.write("a.cu", """
            #include <algorithm>
            #include <helper.h>
            __device__ __noinline__ int least(int a, unsigned b) { return min(a, b); }
            __global__ void k(int** out) { *out = new int[least(3, 5)]; }
            int main() {
              int most = 0;
              check(cudaDeviceGetAttribute(&most, cudaDevAttrMultiProcessorCount, 0));
              k<<<min(most, 3u), 32>>>(nullptr);
            }
            """)
        code, said, error = run("--format", "json", source, "--", f"-I{self.folder / 'common'}")
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(json.loads(said)[0]["size"]["bytes"], 12)

    def test_random_numbers_and_halves_are_read(self):
        source = self.write("a.cu", """
            #include <cuda_fp16.h>
            #include <curand_kernel.h>
            __global__ void k(float** out, curandState* states) {
              if (threadIdx.x == 0 && curand_uniform(&states[blockIdx.x]) > 0.5f) {
                out[blockIdx.x] = new float[8];
                out[blockIdx.x][0] = __half2float(__float2half(1));
              }
            }
            """)
        code, said, error = run("--format", "json", source)
        self.assertEqual((code, error), (0, ""))
        (site,) = json.loads(said)
        self.assertEqual((site["who"], site["size"]["bytes"]), ("one", 32))

    def test_two_allocations_of_one_macro_are_two(self):
        source = self.write("a.cu", "#define TWO(a, b) a = new int[4]; b = new int[8]\n"
                                    "__global__ void k(int** out) {\n  TWO(out[0], out[1]);\n}\n")
        code, said, _ = run("--format", "json", source)
        self.assertEqual(code, 0)
        self.assertEqual([(site["line"], site["size"]["bytes"]) for site in json.loads(said)], [(3, 16), (3, 32)])

    def test_deep_calls_end(self):
        calls = "".join(f"__device__ int f{n}(int n) {{ return f{n - 1}(n) + f{n - 1}(n + 1); }}\n"
                        for n in range(1, 30))
        source = self.write("a.cu", "__device__ int f0(int n) { int* p = new int[n]; delete[] p; return n; }\n"
                                    f"{calls}__global__ void k(int* out, int n) {{ out[0] = f29(n); }}\n")
        code, said, _ = run("--format", "json", source)
        self.assertEqual(code, 0)
        self.assertEqual(len(json.loads(said)), 1)

    def test_a_file_that_does_not_parse(self):
        code, said, error = run(self.write("bad.cu", "__global__ void k( { }\n"))
        self.assertEqual((code, said), (2, ""))
        self.assertIn("bad.cu: Clang cannot parse it\n", error)
        self.assertIn("remedy: give the flags", error)

    def test_a_file_that_is_not_there(self):
        code, _, error = run(self.folder / "none.cu")
        self.assertEqual(code, 2)
        self.assertIn("none.cu: there is no such file", error)

    def test_a_folder_without_a_compilation_database(self):
        code, _, error = run("-p", self.folder, CORPUS / "who.cu")
        self.assertEqual(code, 2)
        self.assertIn("there is no compile_commands.json", error)
        self.assertIn("CMAKE_EXPORT_COMPILE_COMMANDS", error)

    def test_a_compilation_database_that_cannot_be_read(self):
        for text in ("", "{", "[{}]", '{"directory": "."}'):
            with self.subTest(text):
                self.write("compile_commands.json", text)
                code, said, error = run("-p", self.folder, CORPUS / "who.cu")
                self.assertEqual((code, said), (2, ""))
                self.assertIn("compile_commands.json: Clang cannot read it\n", error)
                self.assertIn("remedy: ", error)

    def test_a_machine_without_clang(self):
        with unittest.mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            code, said, error = run(CORPUS / "who.cu")
        self.assertEqual((code, said), (2, ""))
        self.assertIn("there is no clang++\n", error)
        self.assertIn("remedy: install Clang", error)

    def test_bindings_without_their_library(self):
        code = ("import sys; from clang.cindex import Config; Config.set_library_file('/none/libclang.so');"
                "from haloheap_mallocs.command import main; sys.exit(main(sys.argv[1:]))")
        done = subprocess.run([sys.executable, "-c", code, CORPUS / "who.cu"], capture_output=True, text=True,
                              check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^haloheap-mallocs: /none/libclang.so: .*\n  consequence: .*\n  remedy: .*\n$")

    def test_flags_of_a_compilation_database_are_used(self):
        source = self.write("a.cu", "__global__ void k(int** out) { *out = new int[LENGTH]; }\n")
        self.write("compile_commands.json", json.dumps([{
            "directory": str(self.folder), "file": "a.cu",
            "arguments": ["nvcc", "-x", "cu", "-DLENGTH=7", "-gencode", "arch=compute_90,code=sm_90", "-c", "a.cu",
                          "-o", "a.o"]}]))
        code, said, error = run("-p", self.folder, "--format", "json", source)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(json.loads(said)[0]["size"]["bytes"], 28)
        self.assertEqual(run(source)[0], 2)  # without LENGTH

    def test_openmp_is_on_where_a_compilation_database_has_it(self):
        source = self.write("a.cu", """#include <omp.h>
#ifndef _OPENMP
#error this program is for OpenMP
#endif
__global__ void k(int** out) { *out = new int[4]; }
int threads() {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 9; ++i) omp_set_lock(&lock), omp_unset_lock(&lock);
  return omp_get_max_threads();
}
""")
        self.write("compile_commands.json", json.dumps([{
            "directory": str(self.folder), "file": "a.cu",
            "arguments": ["nvcc", "-fopenmp", "-c", "a.cu", "-o", "a.o"]}]))
        code, said, error = run("-p", self.folder, "--format", "json", source)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(json.loads(said)[0]["size"]["bytes"], 16)
        self.assertEqual(run(source, "--", "-fopenmp=libomp")[0], 0)
        self.assertEqual(run(source)[0], 2)  # without OpenMP

    def test_flags_after_two_dashes(self):
        source = self.write("a.cu", "__global__ void k(int** out) { *out = new int[LENGTH]; }\n")
        code, said, _ = run("--format", "json", source, "--", "-DLENGTH=5")
        self.assertEqual((code, json.loads(said)[0]["size"]["bytes"]), (0, 20))

    def test_code_for_hosts_alone(self):
        code, said, _ = run(self.write("host.cpp", "#include <cstdlib>\nint main() { free(malloc(4)); }\n"))
        self.assertEqual((code, said), (0, "no allocation in device code\n"))

    def test_sarif_names_the_places(self):
        code, said, _ = run("--format", "sarif", CORPUS / "listing1.cu")
        self.assertEqual(code, 0)
        log = json.loads(said)
        self.assertEqual(log["version"], "2.1.0")
        (one,) = log["runs"]
        rules = {rule["id"] for rule in one["tool"]["driver"]["rules"]}
        self.assertTrue({result["ruleId"] for result in one["results"]} <= rules)
        lines = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in one["results"]]
        self.assertEqual(lines, sorted(expectations(CORPUS / "listing1.cu")))

    def test_output_goes_to_a_file(self):
        out = self.folder / "out.txt"
        code, said, _ = run("-o", out, CORPUS / "listing1.cu")
        self.assertEqual((code, said), (0, ""))
        self.assertIn("listing1.cu", out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
