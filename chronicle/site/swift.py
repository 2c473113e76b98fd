"""Templates of ours alone, which say the same as in any environment of Jinja, sooner."""

from __future__ import annotations

import re
from typing import Any, Final

from jinja2 import Environment
from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape

_METHODS: Final = frozenset(dir(dict))
_MEANS = re.compile("[&<>\"']").search


def _escaped(value: Any) -> str:
    """What a template writes for a value: as ``escape`` has it, for most values without a copy."""
    kind = type(value)
    if kind is Markup or (kind is str and _MEANS(value) is None):
        return value  # type: ignore[no-any-return]
    return escape(value)


class _Generator(CodeGenerator):
    """Compiles templates to use :func:`_escaped`."""

    def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(")


class Swift(Environment):
    """An environment for templates that are trusted."""

    code_generator_class = _Generator
    escaped = staticmethod(_escaped)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What ``obj.attribute`` means in a template, as Jinja has it: what is asked of a mapping is mostly
        one of its values, and Jinja finds that out by an error each time."""
        if type(obj) is dict and attribute in obj and attribute not in _METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)
