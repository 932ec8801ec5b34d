"""Lists the libraries in the command or libassay from the linker map, each with its version, licence and archives."""

import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

# Licences by the name of a Debian source package, or of a source outside of Debian. Releases include the licence texts.
LICENCES = {
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "isa-l": "BSD-3-Clause",
    "libyaml": "MIT",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "pcre2": "BSD-3-Clause",
    "swift": "Apache-2.0 WITH Swift-exception",
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "uchardet": "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later",
}


@dataclass
class Library:
    name: str
    version: str
    purl: str
    licence_text: Path
    files: set[Path] = field(default_factory=set)

    @property
    def licence(self) -> str:
        return LICENCES[re.sub(r"-\d+$", "", self.name)]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def files_of_map(text: str) -> set[Path]:
    """Returns the objects in a linker map, and the archives of which it lists a member. Unused archives appear without
    a member."""
    names = re.findall(r"(/[^\s:()]+(?:\.o\b|\.a(?=\()))", text)
    return {Path(name).resolve() for name in names}


@cache
def swift() -> tuple[str, Path]:
    """Returns the version of the Swift toolchain and its folder."""
    target = json.loads(output("swiftc", "-print-target-info"))
    version = re.search(r"Swift version ([\d.]+)", target["compilerVersion"])
    if version is None:
        raise SystemExit("linked: the compiler does not say its version")
    return version.group(1), Path(target["paths"]["runtimeResourcePath"]).resolve().parents[1]


def of_debian(file: Path) -> Library | None:
    """Returns the source package of a system file; None: no package has it."""
    # Try both names, because folders such as /lib are links and dpkg knows a file by only one name.
    for name in (file, Path("/").joinpath(*file.parts[2:])):
        found = subprocess.run(["dpkg-query", "--search", str(name)], capture_output=True, text=True)
        if found.returncode == 0:
            break
    else:
        return None
    package = found.stdout.split(": ")[0].split(",")[0]
    source, version = output("dpkg-query", "--show", "-f=${source:Package} ${source:Version}", package).split()
    purl = f"pkg:deb/debian/{source}@{version}?arch=source"
    return Library(source, version, purl, Path("/usr/share/doc") / package.split(":")[0] / "copyright")


def library_of(file: Path) -> Library | None:
    """Returns the library of a file; None: the file belongs to Assay."""
    version, toolchain = swift()
    if file.name == "libisal.a":
        isal = file.parent
        isal_version = (isal / "libisal.version").read_text().strip()
        return Library("isa-l", isal_version, f"pkg:github/intel/isa-l@v{isal_version}", isal / "libisal.copyright")
    module = re.search(r"/([A-Za-z0-9_]+)\.build/", str(file))
    if module is None and not file.is_relative_to(Path.cwd()):
        # Try Debian first, because Swift's images have the toolchain in /usr, like the system's libraries.
        library = of_debian(file)
        if library is None and any(file.is_relative_to(toolchain / "lib" / name)
                                   for name in ("swift", "swift_static", "clang")):
            purl = f"pkg:github/swiftlang/swift@swift-{version}-RELEASE"
            library = Library("swift", version, purl, toolchain / "share/swift/LICENSE.txt")
        if library is None:
            raise SystemExit(f"linked: no package has {file}")
        return library
    if module is None or not module.group(1).startswith("ArgumentParser"):
        return None
    pins = json.loads(Path("Package.resolved").read_text())["pins"]
    version = next(pin["state"]["version"] for pin in pins if pin["identity"] == "swift-argument-parser")
    purl = f"pkg:github/apple/swift-argument-parser@{version}"
    text = Path(".build/checkouts/swift-argument-parser/LICENSE.txt")
    return Library("swift-argument-parser", version, purl, text)


def libraries(map_of_link: Path) -> list[Library]:
    """Returns all libraries in a linker map, sorted by name."""
    found: dict[str, Library] = {}
    for file in sorted(files_of_map(map_of_link.read_text(errors="replace"))):
        library = library_of(file)
        if library is not None:
            found.setdefault(library.name, library).files.add(file)
    return [found[name] for name in sorted(found)]


def copy_common_licences(folder: Path) -> None:
    """Copies the texts of /usr/share/common-licenses that files in the folder refer to into its folder
    `common-licenses`."""
    texts = [file.read_text(errors="replace") for file in sorted(folder.iterdir()) if file.is_file()]
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", "\n".join(texts)))):
        (folder / "common-licenses").mkdir(exist_ok=True)
        shutil.copyfile(Path("/usr/share/common-licenses") / name, folder / "common-licenses" / name)


def checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
