# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs drawn at random: what two functions and three kernels do before, between and after their allocations."""

import random


class Drawn:
    """A program of functions that call those before them, and kernels. Classes that derive from it say how the two are
    written and how they ask for memory."""

    DEVICE = ""  # in front of a function that kernels call
    PASSED, PASSING = "", ""  # what functions get besides numbers, and how it is handed to them
    OF_A_THREAD, OF_A_BLOCK = [], []  # values that may differ within a block, and values that do not
    INPUT = ""  # one of OF_A_THREAD, from memory
    SPREAD = 0  # bytes from the least that one statement asks for to the least of the next one

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sites = self.names = 0
        self.functions = 0
        self.forms = []
        self.parameters = []
        parts = []
        for number in range(2):
            parts.append(self.function(number, self.random.choice(["plain", "template", "member"])))
            self.functions = number + 1
        self.text = self.program(parts)

    def program(self, functions):
        """All of the text."""
        raise NotImplementedError

    def asking(self, size, pick, names, leave, depth):
        """A statement that asks for so much, of a kind that a random number picks."""
        raise NotImplementedError

    def allocation(self, names, leave, depth):
        """A statement, whose requests are larger than those of the ones before."""
        self.sites += 1
        size = f"{self.sites} * {self.SPREAD} + ({self.value(names)} & {self.SPREAD - 1})"
        return self.asking(size, self.random.random(), names, leave, depth)

    def function(self, number, form):
        """In a form of which it is noted how it is called."""
        head, end = self.template(form != "plain"), "};\n" if form == "member" else ""
        if form == "member":
            head += f"struct S{number} {{\n  T own;\n"
        made = (f"{head}{self.DEVICE} int f{number}({self.PASSED}int a, int n, const int* in) {{\n"
                f"{'  a += own;' if form == 'member' else ''}\n{self.body('return a;')}  return a + n;\n}}\n{end}")
        self.forms.append(form)
        return made

    def template(self, is_one):
        """What comes in front of it; in what follows the parameters are values, too."""
        self.parameters = ["N", "(int)sizeof(T)"] if is_one else []
        return "template <class T, int N>\n" if is_one else ""

    def called(self, number, names):
        form, own = self.forms[number], ["T, N"] if self.parameters else []
        instances = ["int, 1", "long, 2", *own * 2]
        if form == "member":
            return f"S{number}<{self.random.choice(instances)}>{{{self.value(names)}}}.f{number}"
        return f"f{number}" + (f"<{self.random.choice(instances)}>" if form == "template" else "")

    def call(self, names):
        called = self.called(self.random.randrange(self.functions), names)
        called += f"({self.PASSING}{self.value(names)}, {self.value(names)} & 7, in)"
        if self.random.random() < 0.3:
            return f"a = {self.condition(names)} ? {called} : 3;"
        return f"a += {called} & 7;"

    def body(self, leave):
        return "".join(self.statement(["a", "n"], leave, 1, False) for _ in range(self.random.randint(2, 3)))

    def value(self, names):
        pick = self.random.random()
        if pick < 0.08:
            return self.random.choice(self.OF_A_THREAD)
        if pick < 0.3:
            return self.random.choice(self.OF_A_BLOCK)
        if pick < 0.5:
            return str(self.random.randint(0, 7))
        if pick < 0.75:
            return self.random.choice([*names, *self.parameters])
        return f"({self.value(names)} {self.random.choice('+-*&|^')} {self.value(names)})"

    def condition(self, names):
        text = f"{self.value(names)} {self.random.choice(['<', '>', '==', '!=', '<='])} {self.value(names)}"
        if self.random.random() < 0.2:
            return f"{text} {self.random.choice(['&&', '||'])} {self.condition(names)}"
        return text

    def inner(self, names, leave, depth, in_loop):
        """Statements of a block within one of this depth."""
        return "".join(self.statement(names, leave, depth + 1, in_loop) for _ in range(self.random.randint(1, 2)))

    def statement(self, names, leave, depth, in_loop):
        margin = "  " * depth
        kinds = ["allocate"] * 4 + ["assign"] * 2 + ["call"] * (3 if self.functions and not in_loop else 0)
        if depth < 3:
            kinds += ["if"] * 3 + ["for", "do", "switch"]
        kinds += ["leave"] + (["break", "continue"] if in_loop else [])
        kind = self.random.choice(kinds)
        if kind == "allocate":
            return self.allocation(names, leave, depth)
        if kind == "assign":
            return f"{margin}{self.random.choice(['a', 'n'])} = {self.value(names)} & 15;\n"
        if kind == "call":
            return f"{margin}{self.call(names)}\n"
        if kind == "if":
            if self.parameters and self.random.random() < 0.4:  # what one instance does, and not the other
                return (f"{margin}if constexpr (N > 1) {{\n{margin}  if ({self.INPUT} > n) {leave}\n"
                        f"{margin}}}\n")
            other = (f" else {{\n{self.inner(names, leave, depth, in_loop)}{margin}}}"
                     if self.random.random() < 0.4 else "")
            return (f"{margin}if ({self.condition(names)}) {{\n{self.inner(names, leave, depth, in_loop)}"
                    f"{margin}}}{other}\n")
        if kind == "switch":
            cases = "".join(f"{margin}case {number}: {{\n{self.inner(names, leave, depth, False)}{margin}}}" +
                            (" break;\n" if self.random.random() < 0.6 else "\n") for number in range(2))
            return f"{margin}switch ({self.value(names)} & 3) {{\n{cases}{margin}default: break;\n{margin}}}\n"
        if kind in ("for", "do"):
            return self.loop(kind, names, leave, depth)
        return f"{margin}if ({self.condition(names)}) {leave if kind == 'leave' else kind + ';'}\n"

    def loop(self, kind, names, leave, depth):
        margin = "  " * depth
        self.names += 1
        name = f"i{self.names}"
        limit = f"({self.value(names)} & 3)"
        inner = self.inner([*names, name], leave, depth, True)
        if kind == "for":
            return f"{margin}for (int {name} = 0; {name} < {limit}; ++{name}) {{\n{inner}{margin}}}\n"
        return f"{margin}int {name} = 0;\n{margin}do {{\n{inner}{margin}}} while (++{name} < {limit});\n"


class DrawnCuda(Drawn):
    """In CUDA, with what its kernels have for memory: a main() that runs them by check() where there is no CUDA."""

    DEVICE = "__device__"
    OF_A_THREAD = ["(int)threadIdx.x", "in[threadIdx.x]", "(int)(threadIdx.x / 32)"]
    OF_A_BLOCK = ["(int)blockIdx.x", "in[blockIdx.x]", "(int)blockDim.x"]
    INPUT = "in[threadIdx.x]"
    SPREAD = 64

    def program(self, functions):
        parts = functions
        instances = [self.random.choice([[""], ["<int, 1>", "<long, 2>"]]) for _ in range(3)]
        for number, own in enumerate(instances):
            head = self.template(own[0])
            parts.append(f"{head}__global__ void k{number}(int n, const int* in) {{\n  int a = {self.value(['n'])};\n"
                         f"{self.body('return;')}}}\n")
        checks = "".join(f'  check("k{number}", [&] {{ k{number}{instance}({self.random.randint(0, 9)}, in); }});\n'
                         for number, own in enumerate(instances) for instance in own)
        # One of the instances is among what is looked at, and the other one in another file.
        launches = "".join(f"  k{number}{own[0]}<<<3, 64>>>(3, in);\n" for number, own in enumerate(instances))
        return ('#include "coalesced.cuh"\n' + "".join(parts) + "#ifdef ON_HOST\nint main() {\n  int in[64];\n"
                f"  for (int i = 0; i < 64; ++i) in[i] = i * 37 % 11;\n{checks}"
                '  std::printf("%ld\\n", together);\n}\n#else\n'
                f"void launch(const int* in) {{\n{launches}}}\n#endif\n")

    def asking(self, size, pick, names, leave, depth):
        margin = "  " * depth
        if pick < 0.35:
            kind = "T" if self.parameters and pick < 0.2 else "char"
            return f"{margin}{{\n{margin}  {kind}* p = new {kind}[{size}];\n{margin}  delete[] p;\n{margin}}}\n"
        if pick < 0.5:
            return (f"{margin}{{\n{margin}  const int m = {size};\n{margin}  char* p = (char*)calloc(m, 3);\n"
                    f"{margin}  require_clear(p, 3 * m);\n{margin}  free(p);\n{margin}}}\n")
        if pick < 0.6:
            return f"{margin}free(aligned_alloc(8, {size}));\n"
        return f"{margin}free(malloc({size}));\n"


class DrawnTeams(Drawn):
    """With teams of Kokkos and a handle: k0(heap, limit, in) and so on launch the kernels."""

    KERNELS = ("k0", "k1", "k2")
    DEVICE = "KOKKOS_FUNCTION"
    PASSED, PASSING = "const Heap& heap, const Member& member, ", "heap, member, "
    OF_A_THREAD = ["member.team_rank()", "in[member.team_rank()]", "(member.team_rank() / 2)"]
    OF_A_BLOCK = ["member.league_rank()", "in[member.league_rank()]", "member.team_size()"]
    INPUT = "in[member.team_rank()]"
    SPREAD = 16

    def program(self, functions):
        return '#include "heap.hpp"\n' + "".join([*functions, *map(self.kernel, self.KERNELS)])

    def body(self, leave):
        """With one more call, which all threads make or some."""
        names = ["a", "n"]
        call = f"  if ({self.condition(names)}) {self.call(names)}\n" if self.functions else ""
        return call + super().body(leave)

    def kernel(self, name):
        self.template(False)
        body = (f"    int n = limit;\n    int a = {self.value(['n'])};\n{self.allocation(['a', 'n'], 'return;', 2)}"
                f"{self.body('return;')}")
        return (f"inline void {name}(Heap heap, int limit, const int* in) {{\n"
                f'  Kokkos::parallel_for("{name}", Kokkos::TeamPolicy<>(6, 4), KOKKOS_LAMBDA(const Member& member) {{\n'
                f"    const Thread thread(heap, member);\n{body}  }});\n}}\n")

    def asking(self, size, pick, names, leave, depth):
        """Its block is held while the thread asks for more, or given back at once, or is more than any heap has. Not
        given back are blocks that a thread holds when it leaves the function."""
        margin = "  " * depth
        if pick < 0.1:
            return f"{margin}heap.deallocate(heap.allocate({self.sites} + (std::size_t{{1}} << 40)));\n"
        if pick < 0.5:
            return f"{margin}heap.deallocate(heap.allocate({size}));\n"
        change = f"{margin}  if (p != nullptr) p[0] = (char)a;\n" if pick < 0.7 else ""
        more = self.inner(names, leave, depth, False) if depth < 3 else ""
        return (f"{margin}{{\n{margin}  char* p = (char*)heap.allocate({size});\n{change}{more}"
                f"{margin}  heap.deallocate(p);\n{margin}}}\n")
