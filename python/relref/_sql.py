"""The functions that are registered in databases: their names, the functions of relref, the numbers of their columns, and their options."""

from typing import Any

_KEYS = ("surt", "cdx", "host", "domain")


def functions(normalizer: Any) -> "list[tuple[str, str, int, dict[str, Any]]]":
    """Returns all functions. The normalizer is for those that normalize."""
    normalized = [("normalize", None), *((key, key) for key in _KEYS)]
    return [
        ("relref_resolve", "resolve_column", 2, {}),
        *((f"relref_{name}", "normalize_column", 1, {"normalizer": normalizer, "key": key}) for name, key in normalized),
    ]
