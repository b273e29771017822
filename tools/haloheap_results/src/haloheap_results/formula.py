# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Formulas of fields: "v", "momentum_x / density", "ddx(uy) - ddy(ux)"."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

import numpy

from haloheap_results.load import BadInput
from haloheap_results.vtk import Array

OPERATORS: dict[type[ast.operator], Callable[[Array, Array], Array]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow}
SIGNS: dict[type[ast.unaryop], Callable[[Array], Array]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


def slope(axis: int) -> Callable[[Array], Array]:
    """The change from cell to cell, from the neighbours on both sides; on the sides of the grid from the one inside."""
    return lambda values: numpy.gradient(values, axis=axis) if values.shape[axis] > 1 else numpy.zeros_like(values)


FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "sqrt": numpy.sqrt, "abs": numpy.abs, "log10": numpy.log10, "ddx": slope(2), "ddy": slope(1), "ddz": slope(0)}


def evaluate(text: str, fields: Mapping[str, Array]) -> Array:
    """A field by its name, as it is; or what a formula of them gives in each cell, in double. @raises BadInput"""
    if text in fields:
        return fields[text]
    shape = next(iter(fields.values())).shape
    try:
        tree = ast.parse(text, mode="eval")
        with numpy.errstate(all="ignore"):  # what is not finite is seen in the picture
            return numpy.broadcast_to(value_of(tree.body, fields), shape)
    except (SyntaxError, ValueError) as error:
        raise BadInput(f"'{text}' is neither a field ({', '.join(fields)}) nor a formula of fields: {error}") from error


def value_of(node: ast.expr, fields: Mapping[str, Array]) -> Array:
    match node:
        case ast.Constant(value=int() | float() as number):
            return numpy.full(next(iter(fields.values())).shape, float(number))
        case ast.Name(id=name) if name in fields:
            return fields[name].astype(float)
        case ast.Name(id=name):
            raise ValueError(f"there is no field {name}")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](value_of(left, fields), value_of(right, fields))
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in SIGNS:
            return SIGNS[type(sign)](value_of(operand, fields))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](value_of(argument, fields))
    raise ValueError(f"'{ast.unparse(node)}' is not of + - * / **, {', '.join(FUNCTIONS)}, fields and numbers")
