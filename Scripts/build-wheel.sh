#!/bin/sh
# Builds the wheel of the Python package in build/wheel, once for all tests: setuptools builds in Python/build, so two
# simultaneous builds fail.
#
#   sh Scripts/build-wheel.sh      ASSAY_LIBASSAY=FOLDER is a built libassay; default: built here
set -eu
cd "$(dirname "$0")/.."
sh Scripts/python-environment.sh python
rm -rf build/wheel
build/python/bin/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    --wheel-dir build/wheel ./Python
