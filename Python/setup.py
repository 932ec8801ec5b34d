"""Builds the wheel: libassay by the script of the repository, and the bridge to it against Python's limited API.

ASSAY_LIBASSAY=DIRECTORY takes a libassay that stands there already, laid out as Scripts/build-libassay.sh does it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def version() -> str:
    """The version stands in one place, the header of the C core."""
    header = (ROOT / "Sources/CAssay/include/assay/core.h").read_text()
    return re.search(r'^#define ASSAY_VERSION "([0-9.]+)"$', header, re.MULTILINE)[1]


class BuildBridge(build_ext):
    """Builds libassay first, and puts it beside the extension, which looks for it there."""

    def build_extension(self, extension):
        library = self.libassay()
        extension.include_dirs.append(str(library / "include"))
        extension.library_dirs.append(str(library / "lib"))
        super().build_extension(extension)
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        for file in (library / "lib").iterdir():
            # The name that the loader asks for, not the link that compilers ask for.
            if re.fullmatch(r"libassay\.so\.\d+|libassay\.\d+\.dylib", file.name):
                shutil.copy2(file, package / file.name)
        shutil.copytree(library / "share/doc/libassay", package / "licenses", dirs_exist_ok=True)

    @staticmethod
    def libassay() -> pathlib.Path:
        given = os.environ.get("ASSAY_LIBASSAY")
        if given:
            return pathlib.Path(given).resolve()
        subprocess.run(["sh", "Scripts/build-libassay.sh"], cwd=ROOT, check=True)
        return ROOT / "build/libassay"


class LimitedWheel(bdist_wheel):
    """One wheel for every Python from 3.10 on."""

    def finalize_options(self):
        self.py_limited_api = "cp310"
        super().finalize_options()


setup(
    version=version(),
    ext_modules=[
        Extension(
            "assay._native",
            ["src/native/_native.c"],
            define_macros=[("Py_LIMITED_API", "0x030A0000")],
            py_limited_api=True,
            libraries=["assay"],
            extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden"],
            extra_link_args=["-Wl,-rpath," + ("@loader_path" if sys.platform == "darwin" else "$ORIGIN")],
        )
    ],
    cmdclass={"build_ext": BuildBridge, "bdist_wheel": LimitedWheel},
)
