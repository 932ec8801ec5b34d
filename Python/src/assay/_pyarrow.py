"""The import of pyarrow where it is needed, because the package works without it."""

from __future__ import annotations

from typing import Any


def pyarrow_for(purpose: str) -> Any:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError:
        raise ImportError(f"pyarrow is needed {purpose}: pip install pyarrow") from None
    return pyarrow
