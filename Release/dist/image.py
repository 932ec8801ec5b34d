"""Writes a container image of the command without a base image, as a tar file in the OCI image layout.

    python3 Release/dist/image.py VERSION STAGED-COMMAND OUTPUT

    docker load -i OUTPUT        or: skopeo copy oci-archive:OUTPUT …, podman load -i OUTPUT
    docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" assay:VERSION check users.csv

The image has one layer: the command, its C library, the modules of iconv, and time zones.
"""

import datetime
import hashlib
import json
import shutil
import sys
import tempfile
from pathlib import Path

import linked
import packing

LIBRARIES = Path("/lib/x86_64-linux-gnu")
GCONV = Path("/usr/lib/x86_64-linux-gnu/gconv")
ZONES = Path("/usr/share/zoneinfo")


def fill(root: Path, staged: Path) -> None:
    def put(file: Path, name: str) -> None:
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)

    shutil.copytree(staged / "bin", root / "usr/bin")
    shutil.copytree(staged / "share/doc/assay/licences", root / "usr/share/doc/assay/licences")
    put(staged / "share/doc/assay/LICENSE", "usr/share/doc/assay/LICENSE")
    for name in ("sbom.cdx.json", "THIRD-PARTY-NOTICES.txt"):
        put(staged / "share/doc/assay" / name, f"usr/share/doc/assay/{name}")
    for package in ("libc6", "tzdata"):
        put(Path("/usr/share/doc") / package / "copyright", f"usr/share/doc/{package}/copyright")
        linked.copy_common_licences(root / "usr/share/doc" / package)
    put(LIBRARIES / "ld-linux-x86-64.so.2", "lib64/ld-linux-x86-64.so.2")
    for name in ("libc.so.6", "libm.so.6"):
        put(LIBRARIES / name, f"lib/x86_64-linux-gnu/{name}")
    shutil.copytree(GCONV, root / GCONV.relative_to("/"))
    # Skip the folders "posix" and "right", which are copies of the zones with other clocks.
    shutil.copytree(ZONES, root / ZONES.relative_to("/"), ignore=shutil.ignore_patterns("posix", "right"))
    for name in ("data", "proc"):
        (root / name).mkdir()
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)


def main() -> None:
    version, staged, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    time = datetime.datetime.fromtimestamp(packing.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with tempfile.TemporaryDirectory() as folder:
        root, layout = Path(folder, "root"), Path(folder, "layout")
        fill(root, staged)
        blobs = layout / "blobs/sha256"
        blobs.mkdir(parents=True)

        def blob(data: bytes, kind: str) -> dict:
            digest = hashlib.sha256(data).hexdigest()
            (blobs / digest).write_bytes(data)
            return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

        def text(value: dict | list) -> bytes:
            return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()

        layer = packing.tar(root)
        glibc = linked.output("dpkg-query", "--show", "-f=${Version}", "libc6")
        config = {
            "created": time,
            "architecture": "amd64",
            "os": "linux",
            "config": {
                "Entrypoint": ["/usr/bin/assay"],
                "WorkingDir": "/data",
                "User": "65532:65532",
                "Labels": {"org.opencontainers.image.version": version, "glibc": glibc},
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
            "history": [{"created": time, "created_by": "Release/dist/image.py"}],
        }
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": blob(text(config), "config.v1+json"),
            "layers": [blob(packing.packed(layer), "layer.v1.tar+gzip")],
        }
        entry = blob(text(manifest), "manifest.v1+json")
        entry["platform"] = {"architecture": "amd64", "os": "linux"}
        # The first name is for containerd and docker, the second for skopeo and podman.
        names = {"io.containerd.image.name": f"docker.io/library/assay:{version}",
                 "org.opencontainers.image.ref.name": version}
        entry["annotations"] = names
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
        (layout / "index.json").write_bytes(text(index))
        (layout / "oci-layout").write_bytes(text({"imageLayoutVersion": "1.0.0"}))

        def place(blob: dict) -> str:
            return "blobs/" + blob["digest"].replace(":", "/")

        # Docker's classic image store, the default before Docker 29, needs this file.
        layers = [place(layer) for layer in manifest["layers"]]
        saved = [{"Config": place(manifest["config"]), "RepoTags": [f"assay:{version}"], "Layers": layers}]
        (layout / "manifest.json").write_bytes(text(saved))
        out.write_bytes(packing.tar(layout))
    print(out)


if __name__ == "__main__":
    main()
