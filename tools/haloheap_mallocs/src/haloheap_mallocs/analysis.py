# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs kernels in the mind: who gets to each allocation, how large it is, and where its address goes.

Every function that a kernel calls is looked at with the arguments that it gets there, so that one helper may be called
by all threads in one place and by four in another. A condition that threads of a warp decide differently divides them
until its end; who leaves a loop or a function early is missing from what follows.

The analysis is right where programs have no data races and where `blockDim.x` is a multiple of the size of a warp;
memory that the kernel writes may differ from thread to thread, and so may whatever comes from functions that are not
in the files.
"""

from __future__ import annotations

from collections import defaultdict

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.calls import MOST_CALLS
from haloheap_mallocs.constants import template_of
from haloheap_mallocs.cursors import body_of, descend, has_attribute, parameters_of, place_of, text_of
from haloheap_mallocs.declarations import declared, has_device_mark, is_for_devices, is_launch, is_team, outer
from haloheap_mallocs.frames import Frame
from haloheap_mallocs.sites import Condition, Control, Kind, Site
from haloheap_mallocs.statements import Statements
from haloheap_mallocs.values import UNKNOWN, Index, Level, Value


class Analysis(Statements):
    def run(self) -> list[Site]:
        """All places where device code allocates, in the order of the files."""
        calls = [cursor for unit in self.units for top in declared(unit) for cursor in descend(top)
                 if cursor.kind is CursorKind.CALL_EXPR and cursor.referenced is not None]
        self.instances = instances_of(calls)
        self.launches = [call for call in calls if is_launch(call)]
        self.run_entries()
        # Once more, when it is known which memory kernels write, and what is in it.
        self.stored_before = self.stored
        for site in self.sites.values():
            site.forget()
        self.arrived.clear()
        self.run_entries()
        self.run_the_rest()
        self.follow_escapes()
        return sorted(self.sites.values(), key=lambda site: site.place)

    def run_entries(self) -> None:
        for usr, function in self.definitions.items():
            if has_attribute(function, CursorKind.CUDAGLOBAL_ATTR):
                self.reached.add(usr)
                instances = self.instances.get(usr, [])
                for kernel in [*instances, function] if self.is_for_any_instance or not instances else instances:
                    values = {parameter.get_usr(): outer(parameter) for parameter in parameters_of(kernel)}
                    self.enter(kernel, function.spelling, values, ())
        for call in self.launches:
            self.launch(call)

    def run_the_rest(self) -> None:
        """What no kernel of these files calls, or somebody may call whom nobody follows: with whatever there is."""
        for usr, function in self.definitions.items():
            if usr not in self.reached and has_attribute(function, CursorKind.CUDADEVICE_ATTR):
                self.run_for_anybody(function)
        done: set[str] = set()
        while left := (self.taken | self.given_up) - done:
            usr = left.pop()
            done.add(usr)
            function = self.definitions.get(usr)
            if function is not None and is_for_devices(function):
                self.run_for_anybody(function, usr not in self.given_up)
        for function in self.definitions.values():
            if not is_for_devices(function):
                for cursor in descend(function):
                    is_lambda = cursor.kind is CursorKind.LAMBDA_EXPR and place_of(cursor) not in self.lambdas_run
                    if is_lambda and has_device_mark(cursor):
                        self.run_for_anybody(cursor)

    def run_for_anybody(self, function: Cursor, is_followed: bool = True) -> None:
        """`is_followed`: with the functions that it calls, which are looked at apart otherwise."""
        before = set(self.sites)
        self.limit = MOST_CALLS if is_followed else 0
        values = {parameter.get_usr(): outer(parameter).at_least(Level.THREAD) for parameter in parameters_of(function)}
        nobody = Condition("its callers are not in these files", place_of(function), Level.THREAD)
        frame = self.enter(function, "", values, (nobody,))
        for key in set(self.sites) - before:
            self.sites[key].is_known = False
        self.limit = MOST_CALLS
        if frame.result:
            self.escape(frame.result.points, function, "returned to callers that are not in these files")

    def launch(self, call: Cursor) -> None:
        """A kernel of Kokkos: its last argument that can be called."""
        for argument in reversed(list(call.get_arguments())):
            found = self.callable_of(argument, Frame("", {}, 0))
            if found is None:
                continue
            name = text_of(next(iter(call.get_arguments()))) if len(list(call.get_arguments())) > 2 else found.spelling
            parameters = parameters_of(found)
            self.reached.add(found.get_usr())
            self.launched[place_of(found)].append(call)
            values: dict[str, Value] = {}
            control: Control = ()
            for number, parameter in enumerate(parameters):
                if is_team(parameter):
                    values[parameter.get_usr()] = Value()
                elif number == 0:
                    values[parameter.get_usr()] = Value(Level.THREAD, 0, None, Index.GLOBAL)
                    control = (Condition("the end of the range", place_of(call), Level.THREAD, Kind.GUARD),)
                else:
                    values[parameter.get_usr()] = UNKNOWN
            self.enter(found, name.strip('"') or "Kokkos kernel", values, control)
            return

    def enter(self, function: Cursor, entry: str, values: dict[str, Value], control: Control) -> Frame:
        self.entry = entry
        frame = Frame(function.spelling or entry, values, len(control))
        body = body_of(function)
        if body is not None:
            self.calls_made = 0
            self.stack.append(function.get_usr())
            self.walk_body(body, frame, control)
            self.stack.pop()
        return frame


def instances_of(calls: list[Cursor]) -> dict[str, list[Cursor]]:
    """Of kernels that are templates, as they are launched: more is known of them than of the template."""
    found: dict[str, dict[str, Cursor]] = defaultdict(dict)
    for function in (call.referenced for call in calls):
        template = template_of(function)
        is_kernel = template is not None and has_attribute(template, CursorKind.CUDAGLOBAL_ATTR)
        if is_kernel and template is not None and body_of(function) is not None:
            found[template.get_usr()][function.get_usr()] = function
    return {usr: list(instances.values()) for usr, instances in found.items()}
