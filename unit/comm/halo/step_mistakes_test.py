#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the compiler says of the rules in step_mistakes.cpp: step_mistakes_test.py COMPILER INCLUDES OPTION...

INCLUDES are folders with colons between them.
"""

import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).with_name("step_mistakes.cpp")
COMMAND = []
# By what is wrong: how the sentence begins, and how often it is said; None: by each kernel.
SENTENCES = {
    "no Fields": ("an update rule names its fields, in public: using Fields", 1),
    "no radius": ("an update rule says its dimensions, 2 or 3, and how far away", 1),
    "operators that are not const": ("an update rule is called with a cell, and is const", 2),
    "one value of two, and a double for a float": ("an update rule returns the new value of its field, or stencil::values", 2),
    "names of one and of three of two fields": ("an update rule that names its fields names each of them", 2),
    "a name that a rule does not say": ("a field is asked for by its name, and the update rule has none", 1),
    "a View": ("an update rule is copied into kernels as bytes", 1),
    "no fields of constants": ("a rule with constants is given their fields as well", 1),
    "a View of rank 2": ("a field is one array, View<T*>", 1),
    "cell.step() without uses_step": ("a rule that calls cell.step() says so: static constexpr bool uses_step", None),
    "cell.stage() without stages": ("a rule that calls cell.stage() says how many there are: static constexpr int", None),
    "cell.constant() without Constants": ("a rule that calls cell.constant() says what these are: using Constants", None),
    "cell.index() with uses_index = false": ("a rule with uses_index = false does not ask for its place", None),
    "fields that no type holds": ("a rule computes with the type that all its fields convert to", 1),
    "a kernel that does not take the step": ("a kernel of one's own with constants, stages or the number of the step", 1),
    "a kernel of several types": ("fields of several types are for update rules", 1),
    "stages of other fields": ("all stages of a step have the same fields", 2),
    "stages of other dimensions": ("all stages of a step are of grids of as many dimensions", 1),
    "stages of other constants": ("all stages of a step have the same constants", 1),
    "stages that have stages": ("a stage has no stages", 1),
    "a View of rank 6": ("a View in a halo has an index for each of two or three dimensions", 1),
    "a View of const": ("the ghost cells of a View in a halo are written: its values are not const", 1),
    "a View of what is no bytes": ("the values of a View in a halo are copied as bytes", 1),
    "a measure without dims": ("a measure names the fields and dimensions of the rule", 1),
    "a measure without Measures": ("a measure says what is made of each of its values", 1),
    "a measure that is not const": ("a measure is called with a cell, and is const", 1),
    "one measured value of two": ("a measure returns stencil::measured(...) with as many values", 1),
    "a sum without a bound": ("a measure with sums says how large a cell's values", 1),
    "a View in a measure": ("a measure is copied into kernels as bytes", 1),
    "a measure of doubles": ("a measure has the fields of the rule that it measures", 1),
    "a measure of doubles on the way": ("a rule's kernels measure its own fields", 1),
    "a residual of integers": ("a rule whose kernels add to a residual has one stage", 1),
}


class StepMistakes(unittest.TestCase):
    def test_each_is_said_in_a_sentence_and_nothing_else_is(self):
        done = subprocess.run(COMMAND + [str(SOURCE)], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        errors = re.findall(r"error: (.*)", done.stderr)
        for mistake, (sentence, times) in SENTENCES.items():
            with self.subTest(mistake):
                said = sum(sentence in error for error in errors)
                self.assertGreater(said, 0, done.stderr)
                self.assertIn(times, (said, None), done.stderr)
        known = [error for error in errors if any(sentence in error for sentence, _ in SENTENCES.values())]
        self.assertEqual(errors, known, done.stderr)


if __name__ == "__main__":
    compiler, folders, *options = sys.argv[1:]
    COMMAND = [compiler, "-std=c++20", "-fsyntax-only", *options]
    for folder in filter(None, folders.split(":")):
        COMMAND.append("-I" + folder)
    unittest.main(argv=sys.argv[:1])
