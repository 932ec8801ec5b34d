from collections.abc import Callable, Collection
from typing import Any, final

release: str
engine: str

_Progress = Callable[[int, int], object] | None
_Totals = tuple[int, int, int, int, int]
_Changes = tuple[int, int, list[tuple[str, int]]]

@final
class Result:
    def totals(self) -> _Totals: ...
    def export(self, kind: int, limit: int, /) -> tuple[object, object]: ...
    def findings(
        self, row: int, place: int, limit: int, /
    ) -> tuple[list[tuple[int, int, int, str | None, str, str, str, str]], int, int]: ...
    def rows(self, kind: int, /) -> bytes | None: ...
    def rejected_by(self, column: str, /) -> int: ...
    def over_budget(self) -> int: ...
    def ticks(self) -> int: ...

@final
class Stream:
    def next(self) -> Result | None: ...

@final
class SeenKeys: ...

@final
class Tally:
    def __init__(self) -> None: ...
    def add(self, other: Result | Tally, /) -> None: ...
    def totals(self) -> _Totals: ...
    def rules(self) -> list[tuple[str | None, str, str, int, int]]: ...

@final
class Rules:
    def json(self) -> str: ...
    def folder(self) -> bytes | None: ...
    def fields(self) -> list[str]: ...
    def seen_keys(self) -> SeenKeys: ...
    def with_references(self, tables: list[tuple[str, object]], /) -> Rules: ...
    def with_budget(self, ticks: int, bytes: int, nanoseconds: int, /) -> Rules: ...
    def of_reference(self, foreign_key: int, /) -> Rules: ...
    def export_reference(self, foreign_key: int, secret: bytes, /) -> tuple[object, object]: ...
    def check_array(
        self,
        schema: object,
        array: object,
        field: int,
        threads: int,
        first_record: int,
        progress: _Progress,
        seen: SeenKeys | bytes | None,
        /,
    ) -> Result: ...
    def open_stream(
        self,
        stream: object,
        field: int,
        threads: int,
        first_record: int,
        progress: _Progress,
        seen: SeenKeys | None,
        /,
    ) -> Stream: ...
    def check_texts(self, values: Collection[Any], field: int, threads: int, progress: _Progress, /) -> Result: ...
    def check_columns(
        self, columns: list[tuple[str, Collection[Any]]], rows: int, threads: int, progress: _Progress, /
    ) -> Result: ...
    def accepts(
        self, record: dict[str, Any], write: Callable[[int, Any], str | bytes | None], plain: bytes, /
    ) -> bool: ...
    def check_csv(self, text: bytes, threads: int, progress: _Progress, /) -> Result: ...
    def repair_array(
        self, schema: object, array: object, field: int, threads: int, /
    ) -> tuple[tuple[object, object] | None, _Changes]: ...
    def repair_texts(
        self, values: Collection[Any], field: int, threads: int, /) -> tuple[list[Any] | None, _Changes]: ...
    def clean_file(
        self,
        input: bytes,
        clean: bytes | None,
        rejects: bytes | None,
        findings: bytes | None,
        changes: bytes | None,
        report: bytes | None,
        replace: bool,
        annotate: bool,
        threads: int,
        progress: _Progress,
        max_findings: int = 0,
        head: int = 0,
        encoding: str | None = None,
        delimiter: str | None = None,
        show_values: bool = False,
        guard_formulas: bool = False,
        /,
    ) -> str: ...

def set_error_class(error_class: type[Exception], /) -> None: ...
def parse(text: str | bytes, name: str, trust: bool, folder: str = ..., /) -> Rules: ...
def load(path: str, trust: bool, /) -> Rules: ...
def pattern(text: str | bytes, flags: int, /) -> Rules: ...
def export_stream(results: list[Result], kind: int, limit: int, /) -> object: ...
def profile(
    rules: Rules | None,
    path: bytes | None,
    open: Callable[[], object] | None,
    name: str,
    shows_values: bool,
    threads: int,
    progress: _Progress,
    /,
) -> str: ...
def infer(
    rules: Rules | None,
    path: bytes | None,
    open: Callable[[], object] | None,
    name: str,
    shows_values: bool,
    threads: int,
    progress: _Progress,
    /,
) -> str: ...
def path_keys(name: str, /) -> tuple[list[str], int]: ...
