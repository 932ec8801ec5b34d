"""Output files that get their names only after all are complete, as with the command.

    .export.clean.parquet.assay-4711-0   ──publish──►   export.clean.parquet

The temporary names and locks match those of libassay, so that each also removes files that a killed process of the
other left.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count

from ._errors import AssayError, printable, refusal

_TEMPORARY = re.compile(r"\..*\.assay-\d+-\d+", re.DOTALL)

#: The read permissions of an input: its status, and whether it has an access control list.
Access = tuple[os.stat_result, bool]


class Output:
    """A file with a temporary name that only its owner can read. It belongs to an :class:`Outputs`."""

    def __init__(self, path: str, replace: bool, inputs: Sequence[Access]):
        self.path = path
        # Replace the target of a symbolic link, not the link.
        self.target = os.path.realpath(path)
        self.replace = replace
        folder, name = os.path.split(self.target)
        # File names have at most 255 bytes, which must include the temporary suffix.
        short = name.encode()[:180].decode(errors="ignore")
        self._stem = os.path.join(folder, f".{short}.assay-{os.getpid()}-")
        try:
            if os.path.exists(self.target):
                mode = stat.S_IMODE(os.stat(self.target).st_mode)
            else:
                # Create an empty file to see the umask, because reading the umask sets it for all threads.
                mode = self._create(0o666)
                self.discard()
            self._create(0o600)
        except OSError as error:
            hint = None if os.path.isdir(folder) else f"make the directory {printable(folder)} first"
            raise refusal("input", f"cannot create {printable(path)}: {error.strerror}", hint) from None
        self._mode = mode & _limit(inputs, self._descriptor)

    def _create(self, mode: int) -> int:
        """Creates and locks a file with an unused name, and returns its mode."""
        for number in count():
            self.temporary = f"{self._stem}{number}"
            with suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
                self._descriptor = os.open(self.temporary, flags, mode)
                # Ignore a failure, because without locks the cleanup removes no files either.
                _lock(self._descriptor)
                state = os.fstat(self._descriptor)
                if state.st_nlink > 0:
                    return stat.S_IMODE(state.st_mode)
                # Another process removed the file as a leftover before this process locked it.
                os.close(self._descriptor)
        raise AssertionError("numbers do not end")

    def synchronize(self) -> None:
        os.fsync(self._descriptor)

    def publish(self) -> None:
        """Gives the file its name. Raises :class:`FileExistsError` for an existing file, unless `replace` is set."""
        with suppress(PermissionError):  # file systems without modes
            os.fchmod(self._descriptor, self._mode)
        if self.replace:
            os.replace(self.temporary, self.target)
            return
        try:
            os.link(self.temporary, self.target)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if os.path.lexists(self.target):
                raise FileExistsError(f"{self.target} was created by another program during the run") from None
            os.rename(self.temporary, self.target)

    def discard(self) -> None:
        """Removes the temporary file."""
        with suppress(FileNotFoundError):
            os.unlink(self.temporary)
        os.close(self._descriptor)


class Outputs:
    """The outputs of one run. A ``with`` statement removes unpublished files at its end."""

    def __init__(self, paths: Iterable[str | None], inputs: Sequence[str], replace: bool):
        """Checks the paths and creates the files with their temporary names.

        Raises :class:`assay.AssayError` if an output cannot be created or must not be replaced.

        :param paths: in publishing order.
        """
        requested = [path for path in paths if path is not None]
        _check(requested, inputs, replace)
        for folder in {os.path.dirname(os.path.realpath(path)) for path in requested}:
            _remove_leftovers(folder)
        accesses = [(os.stat(path), _has_access_list(path)) for path in inputs]
        self._outputs: list[Output] = []
        try:
            for path in requested:
                self._outputs.append(Output(path, replace, accesses))
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *error: object) -> None:
        for output in self._outputs:
            output.discard()
        self._outputs.clear()

    def temporary(self, path: str) -> str:
        """Returns the temporary path of an output."""
        return next(output.temporary for output in self._outputs if output.path == path)

    def publish(self) -> None:
        """Gives all outputs their names. Raises :class:`assay.AssayError` with the outputs that are already in
        place."""
        for output in self._outputs:
            output.synchronize()
        published: list[str] = []
        for output in self._outputs:
            try:
                output.publish()
            except OSError as error:
                in_place = ", ".join(map(printable, published)) or "none"
                raise refusal(
                    "file",
                    f"cannot rename into place {printable(output.path)}: {error.strerror or error}\n"
                    f"  these outputs are already in place: {in_place}",
                ) from None
            published.append(output.path)
        for folder in {os.path.dirname(output.target) for output in self._outputs}:
            _synchronize_folder(folder)


def _check(paths: list[str], inputs: Sequence[str], replace: bool) -> None:
    """Refuses outputs that are inputs, duplicates, dangling links, or existing files without `replace`."""
    targets: dict[str, str] = {}
    for path in paths:
        if os.path.islink(path) and not os.path.exists(path):
            raise refusal(
                "input",
                f"the output {printable(path)} is a dangling link",
                "remove the link, or create the file it points to",
            )
        if os.path.exists(path):
            if not os.path.isfile(path):
                raise refusal("input", f"the output {printable(path)} is no file", "give it another name")
            for given in inputs:
                if os.path.exists(given) and os.path.samefile(path, given):
                    raise _output_is_input(path, given, len(inputs) > 1)
        other = targets.setdefault(os.path.realpath(path), path)
        if other is not path:
            raise refusal(
                "input",
                f"two outputs would be the same file: {printable(other)} and {printable(path)}",
                "give them different names",
            )
    existing = [path for path in paths if os.path.exists(path)]
    if existing and not replace:
        these = "this output exists" if len(existing) == 1 else "these outputs exist"
        raise refusal(
            "input",
            f"{these} already:" + "".join("\n    " + printable(path) for path in existing),
            "remove the existing files, choose other names, or replace it with replace=True",
        )


def _output_is_input(path: str, given: str, are_many: bool) -> AssayError:
    hint = "give it another name"
    if are_many:
        hint = (
            f"if {printable(given)} was written by an earlier run, leave it out of the inputs, or choose an output_dir="
        )
    return refusal("input", f"the output {printable(path)} is the input {printable(given)}", hint)


def _limit(inputs: Sequence[Access], output: int) -> int:
    """Returns the maximum mode of an output, so that only users who can read all inputs can read it."""
    allowed = 0o777
    group, has_list = os.fstat(output).st_gid, _has_access_list(output)
    for state, input_has_list in inputs:
        limit = state.st_mode & 0o666
        if state.st_gid != group or has_list or input_has_list:
            # Members of the output's group are "others" for the input, and vice versa. Grant both only the common
            # rights.
            both = limit >> 3 & limit & 0o006
            limit = limit & 0o600 | both << 3 | both
        allowed &= limit | 0o400 | 0o111
    return allowed


def _has_access_list(file: int | str) -> bool:
    with suppress(OSError, AttributeError):
        return "system.posix_acl_access" in os.listxattr(file)
    return False


def _lock(descriptor: int) -> bool:
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_leftovers(folder: str) -> None:
    """Removes the temporary files of this user's killed runs. Files of running processes are locked."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _TEMPORARY.fullmatch(name):
                _remove_dead(os.path.join(folder, name))


def _remove_dead(path: str) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            state = os.fstat(descriptor)
            # Remove only a locked file, so that the name cannot refer to another file.
            is_own = stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid()
            if is_own and _lock(descriptor) and os.path.samestat(state, os.lstat(path)):
                os.unlink(path)
        finally:
            os.close(descriptor)


def _synchronize_folder(folder: str) -> None:
    """Makes the names in a folder durable, if the file system supports it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
