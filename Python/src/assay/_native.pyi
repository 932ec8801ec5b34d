from collections.abc import Callable, Collection
from typing import Any, final

release: str
engine: str

_Progress = Callable[[int, int], object] | None
_Totals = tuple[int, int, int, int, int]

@final
class Result:
    def totals(self) -> _Totals: ...
    def export(self, kind: int, limit: int, /) -> tuple[object, object]: ...
    def findings(
        self, row: int, place: int, limit: int, /
    ) -> tuple[list[tuple[int, int, int, str | None, str, str, str, str]], int, int]: ...
    def rows(self, kind: int, /) -> bytes | None: ...

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
    def fields(self) -> list[str]: ...
    def seen_keys(self) -> SeenKeys: ...
    def check_array(
        self,
        schema: object,
        array: object,
        field: int,
        threads: int,
        first_record: int,
        progress: _Progress,
        seen: SeenKeys | None,
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
    def check_csv(self, text: bytes, threads: int, progress: _Progress, /) -> Result: ...
    def clean_file(
        self,
        input: bytes,
        clean: bytes | None,
        rejects: bytes | None,
        findings: bytes | None,
        report: bytes | None,
        replace: bool,
        annotate: bool,
        threads: int,
        progress: _Progress,
        /,
    ) -> str: ...

def set_error_class(error_class: type[Exception], /) -> None: ...
def parse(text: str | bytes, name: str, /) -> Rules: ...
def load(path: str, /) -> Rules: ...
def pattern(text: str | bytes, flags: int, /) -> Rules: ...
def export_stream(results: list[Result], kind: int, limit: int, /) -> object: ...
