"""Packs a folder as NAME.tar.gz, the same bytes each time.

    python3 Release/dist/archive.py FOLDER OUTPUT        the folder's own name is the first of each path
"""

import sys
from pathlib import Path

import packing

folder, out = Path(sys.argv[1]), Path(sys.argv[2])
out.write_bytes(packing.packed(packing.tar(folder, folder.name)))
print(out)
