"""The distributed files: the wheel, and the source distribution from which a wheel can be built."""

import email
import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBASSAY = ROOT / "build/libassay"
HOMEPAGE = "https://example.org/assay"
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not LIBASSAY.exists(),
    reason="needs Linux and build/libassay (Scripts/build-libassay.sh)"
)


def run(*arguments, **options):
    env = os.environ | {"ASSAY_LIBASSAY": str(LIBASSAY), "ASSAY_HOMEPAGE": HOMEPAGE}
    done = subprocess.run(arguments, capture_output=True, text=True, env=env, **options)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Builds a wheel from the repository, and one from its source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    run(*build, folder / "tree", "--wheel", ROOT / "Python")
    # Without --wheel and --sdist, build makes the wheel from the source distribution.
    run(*build, folder / "sdist", ROOT / "Python")
    return [next((folder / name).glob("*.whl")) for name in ("tree", "sdist")]


def test_a_wheel_of_the_source_distribution_is_the_same(built):
    tree, sdist = built
    assert tree.name == sdist.name
    with zipfile.ZipFile(tree) as one, zipfile.ZipFile(sdist) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        # Includes the extension, which is compiled again in another folder.
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


def test_the_metadata_is_complete(built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = wheel.namelist()
        [place] = [name.removesuffix("METADATA") for name in names if name.endswith(".dist-info/METADATA")]
        found = email.message_from_string(wheel.read(place + "METADATA").decode())
        sbom = place + "sboms/libassay.cdx.json"
        if (LIBASSAY / "share/doc/libassay/sbom.cdx.json").exists():
            assert json.loads(wheel.read(sbom))["bomFormat"] == "CycloneDX"
        else:
            assert sbom not in names
    assert found["Metadata-Version"] == "2.4"
    assert (found["License-Expression"], found["License"]) == ("Apache-2.0", None)
    for field in ("Summary", "Author", "Keywords", "Requires-Python"):
        assert found[field], field
    assert found["Description-Content-Type"] == "text/markdown"
    assert "import assay" in found.get_payload()
    # PyPI refuses license classifiers if there is a license expression.
    assert not [value for value in found.get_all("Classifier") if value.startswith("License ::")]
    addresses = dict(value.split(", ", 1) for value in found.get_all("Project-URL"))
    assert list(addresses) == ["Homepage", "Documentation", "Changelog", "Source", "Issues", "Security"]
    assert all(value.startswith(HOMEPAGE) for value in addresses.values())
    licenses = found.get_all("License-File")
    assert licenses[:2] == ["LICENSE", "THIRD-PARTY-NOTICES.txt"]
    assert {f"libassay/{path.name}" for path in (LIBASSAY / "share/doc/libassay").glob("*.copyright")} <= set(licenses)
    # The wheel has exactly the named texts.
    assert sorted(name for name in names
                  if "/licenses/" in name) == sorted(f"{place}licenses/{name}" for name in licenses)


def test_the_source_distribution_has_its_licenses(built, tmp_path):
    run("tar", "xzf", next(built[1].parent.glob("*.tar.gz")), "-C", tmp_path, "--strip-components=1")
    found = email.message_from_string((tmp_path / "PKG-INFO").read_text(encoding="utf-8"))
    assert found.get_all("License-File") == ["LICENSE", "THIRD-PARTY-NOTICES.txt"]
    # The field is dynamic, because a wheel has more license files.
    assert "license-file" in found.get_all("Dynamic")
    for name in found.get_all("License-File"):
        assert not (tmp_path / name).is_symlink()
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_wheel_runs_on_every_linux(built, tmp_path):
    assert re.fullmatch(r"assay-[\d.]+-cp310-abi3-manylinux_2_34_\w+\.whl", built[1].name)
    output = " ".join(run(sys.executable, "-m", "auditwheel", "show", built[1]).split())
    assert 'is consistent with the following platform tag: "manylinux_2_34_' in output, output
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(tmp_path)
    for file in (tmp_path / "assay").glob("*.so*"):
        paths = re.findall(r"(?:RUNPATH|RPATH) +(\S+)", run("objdump", "-p", file))
        assert paths == (["$ORIGIN"] if file.name.startswith("_native") else [])
        run("sh", ROOT / "Scripts/check-hardening.sh", file)


def test_the_source_distribution_is_a_package_of_swift(built, tmp_path):
    run("tar", "xzf", next(built[1].parent.glob("*.tar.gz")), "-C", tmp_path, "--strip-components=1")
    names = [path.name for path in (tmp_path / "libassay/Sources").iterdir()]
    assert sorted(names) == sorted(path.name for path in (ROOT / "Sources").iterdir())
    # SwiftPM fails here if the folder of a target is missing.
    assert "AssayABI" in run("swift", "package", "describe", cwd=tmp_path / "libassay")
    build = (tmp_path / "libassay/Scripts/build-libassay.sh").read_text()
    scripts = set(re.findall(r"\bsh (Scripts/[\w-]+\.sh)", build)) - {"Scripts/build-libassay.sh"}
    assert scripts, "the script that builds libassay runs others"
    assert [name for name in scripts if not (tmp_path / "libassay" / name).exists()] == []
