"""Builds the wheel: libassay with the script of the repository, and the bridge to it with Python's limited API. A
source distribution has the sources of libassay in its folder `libassay`.

ASSAY_LIBASSAY=DIRECTORY uses an existing libassay in the layout of Scripts/build-libassay.sh. ASSAY_HOMEPAGE is the
address of the repository, for the metadata; a wheel that is built from a source distribution has the addresses of that
distribution.
"""

import email
import functools
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
#: The repository, or its part in a source distribution.
ROOT = HERE / "libassay" if (HERE / "libassay").exists() else HERE.parent
#: The files from which libassay is built.
SOURCES = ["Package.swift", "LICENSE", "THIRD-PARTY-NOTICES.txt", "vendor-notes.md", "Sources",
           "Scripts/build-libassay.sh", "Scripts/swift-release.sh", "Scripts/install-dependencies.sh",
           "Scripts/libassay"]


LICENSES = ["LICENSE", "THIRD-PARTY-NOTICES.txt"]


def version() -> str:
    """Returns the version, which only the header of the C core defines."""
    header = (ROOT / "Sources/CAssay/include/assay/core.h").read_text()
    return re.search(r'^#define ASSAY_VERSION "([0-9.]+)"$', header, re.MULTILINE)[1]


def addresses() -> dict[str, str]:
    """Returns the addresses of the project, by the labels of PyPI."""
    made_before = HERE / "PKG-INFO"
    if made_before.exists():
        lines = email.message_from_string(made_before.read_text(encoding="utf-8")).get_all("Project-URL", [])
        return dict(line.split(", ", 1) for line in lines)
    home = os.environ.get("ASSAY_HOMEPAGE")
    if not home:
        return {}
    files = f"{home}/blob/v{version()}"
    return {
        "Homepage": home,
        "Documentation": f"{files}/Docs/python.md",
        "Changelog": f"{files}/CHANGELOG.md",
        "Source": home,
        "Issues": f"{home}/issues",
        "Security": f"{home}/security",
    }


class BuildBridge(build_ext):
    """Builds libassay first, and puts it in the folder of the extension, which loads it from there."""

    def build_extension(self, extension):
        library = self.libassay()
        extension.include_dirs.append(str(library / "include"))
        extension.library_dirs.append(str(library / "lib"))
        # Remove the rpath that some builds of Python add, which is a folder of the build machine.
        self.compiler.linker_so = [part for part in self.compiler.linker_so if not part.startswith("-Wl,-rpath")]
        super().build_extension(extension)
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        for file in (library / "lib").iterdir():
            # Copy the file that the loader opens, not the link for compilers.
            if re.fullmatch(r"libassay\.so\.\d+|libassay\.\d+\.dylib", file.name):
                shutil.copy2(file, package / file.name)

    @staticmethod
    @functools.cache
    def libassay() -> pathlib.Path:
        given = os.environ.get("ASSAY_LIBASSAY")
        if given:
            return pathlib.Path(given).resolve()
        subprocess.run(["sh", "Scripts/build-libassay.sh"], cwd=ROOT, check=True)
        return ROOT / "build/libassay"


class LimitedWheel(bdist_wheel):
    """One wheel for every Python from 3.10 on, and every Linux whose C library is new enough."""

    def finalize_options(self):
        self.py_limited_api = "cp310"
        super().finalize_options()

    def get_tag(self):
        python, abi, system = super().get_tag()
        version = self.needed_glibc() if system.startswith("linux_") else None
        # The tag follows PEP 600.
        return python, abi, f"manylinux_{version[0]}_{version[1]}_{platform.machine()}" if version else system

    def write_wheelfile(self, wheelfile_base, *arguments):
        """Adds the licenses of the libraries in libassay (PEP 639), and the list of these libraries if libassay has one
        (PEP 770)."""
        super().write_wheelfile(wheelfile_base, *arguments)
        target = pathlib.Path(wheelfile_base)
        documents = BuildBridge.libassay() / "share/doc/libassay"
        texts = sorted([*documents.glob("*.copyright"), *documents.glob("common-licenses/*")])
        for text in texts:
            copy = target / "licenses/libassay" / text.relative_to(documents)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, copy)
        headers, separator, body = (target / "METADATA").read_text(encoding="utf-8").partition("\n\n")
        headers += "".join(f"\nLicense-File: libassay/{text.relative_to(documents).as_posix()}" for text in texts)
        (target / "METADATA").write_text(headers + separator + body, encoding="utf-8")
        if (documents / "sbom.cdx.json").exists():
            (target / "sboms").mkdir(exist_ok=True)
            shutil.copyfile(documents / "sbom.cdx.json", target / "sboms/libassay.cdx.json")

    def needed_glibc(self):
        """Returns the version of glibc that the binaries need, as `(2, 34)`; None: they need libraries that are not on
        every Linux."""
        found = []
        for file in pathlib.Path(self.bdist_dir).glob("assay/*.so*"):
            table = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
            needed = re.findall(r"NEEDED +(\S+)", table)
            if any(not re.match(r"(libc|libm|libgcc_s|libstdc\+\+|ld-linux[-\w]*|libassay)\.so", name)
                   for name in needed):
                return None
            found += [tuple(map(int, version)) for version in re.findall(r"\bGLIBC_(\d+)\.(\d+)", table)]
        return max(found, default=None)


class CompleteSources(sdist):
    """A source distribution with the sources of libassay, so that it suffices to build a wheel."""

    def make_release_tree(self, folder, files):
        super().make_release_tree(folder, files)
        # Replace the links, because their targets in the repository are outside of this folder.
        for name in LICENSES:
            (pathlib.Path(folder) / name).unlink(missing_ok=True)
            shutil.copyfile(HERE / name, pathlib.Path(folder) / name)
        target = pathlib.Path(folder) / "libassay"
        for name in SOURCES:
            source, copy = ROOT / name, target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy2(source, copy)
        # Create empty folders for the test targets, because SwiftPM requires the folders that the manifest names.
        manifest = (ROOT / "Package.swift").read_text()
        tests = [f"Tests/{name}" for name in re.findall(r'\.testTarget\(\s*name: "(\w+)"', manifest)]
        for path in tests + re.findall(r'path: "((?:Tests|Benchmarks)/[\w/]+)"', manifest):
            (target / path).mkdir(parents=True)
            (target / path / "Empty.swift").write_text("// The tests are in the repository.\n")


# Strip debug information, because it contains the build folder and equal sources must produce equal bytes in any
# folder.
link = ["-Wl,-rpath,@loader_path"] if sys.platform == "darwin" else ["-Wl,-rpath,$ORIGIN", "-Wl,-s",
                                                                     "-Wl,-z,relro,-z,now,-z,noexecstack"]

setup(
    version=version(),
    project_urls=addresses(),
    license_files=LICENSES,
    ext_modules=[
        Extension(
            "assay._native",
            ["src/native/_native.c"],
            define_macros=[("Py_LIMITED_API", "0x030A0000")],
            py_limited_api=True,
            libraries=["assay"],
            extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden"],
            extra_link_args=link,
        )
    ],
    cmdclass={"build_ext": BuildBridge, "bdist_wheel": LimitedWheel, "sdist": CompleteSources},
)
