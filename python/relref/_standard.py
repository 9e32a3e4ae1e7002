"""The standard library's urljoin, which a program may have replaced, even by relref's."""

import types
import urllib.parse
from typing import Any


def _urljoin() -> Any:
    """Returns the function that the standard library defines, even if another one has its name now."""
    present: Any = urllib.parse.urljoin
    names = vars(urllib.parse)
    if isinstance(present, types.FunctionType) and present.__globals__ is names and present.__name__ == "urljoin":
        return present
    try:
        module = names["__spec__"].loader.get_code("urllib.parse")
        [code] = [value for value in module.co_consts if getattr(value, "co_name", None) == "urljoin"]
    except (AttributeError, ImportError, TypeError, ValueError):
        return present
    return types.FunctionType(code, names, "urljoin", (True,))


urljoin = _urljoin()
