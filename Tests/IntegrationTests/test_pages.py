"""The pages of reports and profiles in a real browser: headless Chromium, if it is installed."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/CommandTests"))
from support import ASSAY, EXAMPLES  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed: apt-get install chromium"),
    pytest.mark.skipif(not os.access(ASSAY, os.X_OK), reason="there is no command: build it, or set ASSAY"),
]

# Problems for readers: low contrast, text wider than the window, or a control without a name.
PROBE = """
<script>
const luminance = c => {
  const l = c.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 });
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2] };
const parts = s => (s.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const ground = e => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c.slice(0, 3) } return [255, 255, 255] };
let least = 99, where = "", small = 99;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; node = walker.nextNode();) {
  const e = node.parentElement;
  if (!node.data.trim() || e.closest("title,script") || e.getClientRects().length == 0) continue;
  const style = getComputedStyle(e), a = luminance(parts(style.color).slice(0, 3)), b = luminance(ground(e));
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  small = Math.min(small, parseFloat(style.fontSize));
  if (contrast < least) { least = contrast; where = node.data.trim().slice(0, 40) }
}
const focusable = [...document.querySelectorAll("a[href],summary,[tabindex]")];
document.title = JSON.stringify({least, where, small, width: document.documentElement.scrollWidth, window: innerWidth,
  nameless: focusable.filter(e => !(e.getAttribute("aria-label") || e.textContent.trim())).length,
  focusable: focusable.length,
  empty: [...document.querySelectorAll(".bar span")].filter(e => e.getBoundingClientRect().width == 0
    && parseFloat(e.style.width) > 0 && e.getClientRects().length > 0).length,
  dark: matchMedia("(prefers-color-scheme: dark)").matches, ground: getComputedStyle(document.body).backgroundColor,
  requests: performance.getEntriesByType("resource").length});
</script>
"""


@pytest.fixture(scope="module", params=["report", "clean report", "wide", "profile", "wide profile"])
def page(request, tmp_path_factory):
    """A page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    users, rules, path = EXAMPLES / "users.csv", EXAMPLES / "users.rules.yaml", folder / "page.html"
    if "wide" in request.param:
        names = ["column with a rather long name " + str(number) * 20 for number in range(200)]
        (folder / "wide.csv").write_text(",".join(names) + "\n" + ("x," * 199 + "x\n") * 300)
    if "profile" in request.param:
        table = users if request.param == "profile" else folder / "wide.csv"
        with path.open("wb") as file:
            subprocess.run([ASSAY, "profile", table, "--html", "--show-values"], stdout=file, check=True)
        return path
    if request.param == "clean report":
        (folder / "good.csv").write_text("a,b\n1,2\n")
        arguments = [folder / "good.csv"]
    elif request.param == "wide":
        fields = [{"name": name, "type": "integer"} for name in names]
        (folder / "wide.json").write_text(json.dumps({"fields": fields}))
        arguments = [folder / "wide.csv", "-r", folder / "wide.json", "--show-values"]
    else:
        arguments = [users, "-r", rules, "--show-values"]
    subprocess.run([ASSAY, "check", *arguments, "-q", "--report", path], check=False)
    return path


def browse(page, folder, *flags):
    """Runs the browser on a page. Any resource loaded from elsewhere would fail."""
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={folder / 'profile'}", "--host-resolver-rules=MAP * ~NOTFOUND", *flags, page.as_uri()]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                          check=True).stdout.decode()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 500])
def test_contents_for_readers(page, tmp_path, dark, width):
    text = page.read_text()
    probed = tmp_path / "probed.html"
    without = re.sub(r"<meta http-equiv.*?>\n", "", text)
    probed.write_text(without.replace("</body>", PROBE + "</body>").replace("<details>", "<details open>"))
    dom = browse(probed, tmp_path, "--dump-dom", f"--window-size={width},900",
                 f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    facts = json.loads(re.search(r"<title>(\{.*?\})</title>", dom)[1])
    assert facts["dark"] == dark
    assert facts["least"] >= 4.5, facts
    assert facts["small"] >= 12, facts
    assert facts["width"] <= facts["window"], facts
    assert (facts["nameless"], facts["empty"], facts["requests"]) == (0, 0, 0), facts
    assert facts["focusable"] >= 2


@pytest.mark.parametrize("name, flags", [
    ("light", ["--window-size=1280,900", "--blink-settings=preferredColorScheme=1"]),
    ("dark", ["--window-size=1280,900", "--blink-settings=preferredColorScheme=0"]),
    ("narrow", ["--window-size=500,900", "--blink-settings=preferredColorScheme=1"]),
])
def test_screenshots(page, tmp_path, name, flags):
    """Writes them to the folder SCREENSHOTS. All are without scripts: the page has no scripts, and forbids them."""
    assert "<script" not in page.read_text() and "default-src 'none'" in page.read_text()
    picture = tmp_path / "page.png"
    browse(page, tmp_path, f"--screenshot={picture}", *flags)
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000
    if "SCREENSHOTS" in os.environ:
        shutil.copy(picture, pathlib.Path(os.environ["SCREENSHOTS"]) / f"{page.parent.name}-{name}.png")


def test_print(page, tmp_path):
    paper = tmp_path / "page.pdf"
    browse(page, tmp_path, f"--print-to-pdf={paper}", "--no-pdf-header-footer")
    assert paper.read_bytes().startswith(b"%PDF")
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", paper, "-"], stdout=subprocess.PIPE, check=True).stdout.decode()
        assert re.search("How bad is it|Contents", text)
        assert "Skip to the figures" not in text
    if "SCREENSHOTS" in os.environ:
        shutil.copy(paper, pathlib.Path(os.environ["SCREENSHOTS"]) / f"{page.parent.name}.pdf")
