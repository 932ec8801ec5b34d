"""Writes the components of the command or libassay as CycloneDX 1.5: linked libraries and compiled-in data.

    python3 Release/dist/sbom.py NAME FILE MAP VERSION OUTPUT [LICENCES]

NAME is assay or libassay, FILE the linked file, and MAP its linker map. LICENCES becomes a folder with the licence of
each library.
"""

import datetime
import json
import re
import shutil
import sys
import uuid
from pathlib import Path

import linked
import packing

# The notices of Tools/generate-tables.py about the data in the command and libassay.
NOTICES = Path("THIRD-PARTY-NOTICES.txt")


def of_library(library: linked.Library) -> dict:
    archives = [file for file in sorted(library.files) if file.suffix == ".a"]
    return {
        "type": "library",
        "bom-ref": library.purl,
        "name": library.name,
        "version": library.version,
        "purl": library.purl,
        "licenses": [{"expression": library.licence}],
        "properties": [{"name": f"linked:{file.name}:sha256", "value": linked.checksum(file)} for file in archives],
    }


def of_data() -> list[dict]:
    """Returns the packages with compiled-in tables, from headings such as `phonenumbers 9.0.43 (PyPI): Apache-2.0`."""
    headings = re.findall(r"^=+\n(\S+) (\S+) \((PyPI|Debian)\): (.+)$", NOTICES.read_text(), re.MULTILINE)
    if not headings:
        raise SystemExit(f"sbom: {NOTICES} has no headings")
    components = []
    for name, version, registry, licence in headings:
        purl = f"pkg:pypi/{name}@{version}" if registry == "PyPI" else f"pkg:deb/debian/{name}@{version}?arch=source"
        licences = [{"expression": licence}]
        components.append({"type": "data", "bom-ref": purl, "name": name, "version": version, "purl": purl,
                           "licenses": licences})
    return components


def main() -> None:
    name, file, map_of_link, version, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], Path(
        sys.argv[5])
    libraries = linked.libraries(map_of_link)
    if len(sys.argv) > 6:
        licences = Path(sys.argv[6])
        shutil.rmtree(licences, ignore_errors=True)
        licences.mkdir(parents=True)
        for library in libraries:
            shutil.copyfile(library.licence_text, licences / f"{library.name}.txt")
        linked.copy_common_licences(licences)

    components = [of_library(library) for library in libraries] + of_data()
    time = datetime.datetime.fromtimestamp(packing.epoch(), datetime.timezone.utc)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # Derived from the bytes, so that equal files have equal numbers.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, linked.checksum(file))}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "library" if ".so" in file.name else "application",
                "bom-ref": name,
                "name": name,
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
                "hashes": [{"alg": "SHA-256", "content": linked.checksum(file)}],
            },
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [component["bom-ref"] for component in components]}],
    }
    out.write_text(json.dumps(document, indent=2) + "\n")
    print(f"{out}: {len(libraries)} libraries, {len(components) - len(libraries)} sets of data")


if __name__ == "__main__":
    main()
