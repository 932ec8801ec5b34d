"""Packs a folder as NAME.tar.gz. Equal folders produce equal bytes.

    python3 Release/dist/archive.py FOLDER OUTPUT        each path starts with the name of the folder
"""

import sys
from pathlib import Path

import packing

folder, out = Path(sys.argv[1]), Path(sys.argv[2])
out.write_bytes(packing.packed(packing.tar(folder, folder.name)))
print(out)
