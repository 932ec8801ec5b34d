// Runs in Node.js without WASI: node --test Bindings/Web/test, after `sh Scripts/cross-core.sh web`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const folder = process.env.ASSAY_WEB ?? new URL("../../../build/web/", import.meta.url).pathname;
const { AssayError, load } = await import(`${folder}/index.js`);
const assay = await load();

test("patterns match the whole value", () => {
  const order = assay.pattern("[A-Z]{3}-\\d{4}");
  assert.deepEqual(order.check("ABC-1234"), { verdict: "pass", reason: null, text: null });
  assert.equal(order.check("ABC-12345").verdict, "fail");
  assert.equal(order.check("").verdict, "fail");
  assert.equal(assay.pattern("müller|groß", ["caseInsensitive"]).accepts("MÜLLER"), true);
  assert.equal(assay.pattern("\\d+", ["search"]).accepts("a 7 b"), true);
  assert.equal(assay.pattern("(a)\\1(?=b)b").accepts("aab"), true);
});

test("a limit leaves a value undecided", () => {
  assert.equal(assay.pattern("(?:(\\d+)+\\1)+x").check("1".repeat(40)).verdict, "undecided");
});

test("mistakes have a place", () => {
  assert.throws(() => assay.pattern("a(b"), (error) => {
    assert.ok(error instanceof AssayError);
    assert.equal(error.message, "missing closing parenthesis");
    assert.equal(error.offset, 3);
    return true;
  });
  assert.throws(() => assay.pattern("a", ["global"]), /there is no option 'global'; known are caseInsensitive/);
  assert.throws(() => assay.type("float"), /there is no type 'float'; known are string, integer/);
  assert.throws(() => assay.format("iban country=QQ"), AssayError);
  assert.throws(() => assay.type("date").check(20240101), /a value must be a string, and is number/);
});

test("values that are not Unicode fail", () => {
  const any = assay.pattern("(?s).*");
  assert.equal(any.check("\ud800").reason, "encoding");
  assert.equal(any.check("a\udc00b").reason, "encoding");
  assert.equal(any.check("😀").verdict, "pass");
});

test("types have the meaning of rule files", () => {
  for (const [type, good, bad] of [
    ["integer", "-17", "1.5"], ["number", "1.5e3", "1,5"], ["boolean", "true", "yes"],
    ["date", "2024-02-29", "2023-02-29"], ["time", "12:30:00", "24:00:00"], ["datetime", "2024-02-29T12:30:00Z", "2024-02-29"], ["year", "2024", "24"],
    ["yearmonth", "2024-05", "2024-13"], ["duration", "P1DT2H", "1 day"], ["object", "{\"a\": 1}", "[1]"],
  ]) {
    assert.equal(assay.type(type).accepts(good), true, `${type} ${good}`);
    assert.equal(assay.type(type).accepts(bad), false, `${type} ${bad}`);
  }
});

test("formats accept their examples and give reasons", () => {
  assert.ok(assay.formats.length > 50);
  for (const { name, example } of assay.formats) assert.equal(assay.format(name).accepts(example), true, name);
  assert.equal(assay.format("iban").check("DE89370400440532013001").reason, "check-digits");
});

// The cases that C, Swift, the command and Python also read.
test("formats agree with the cases of all libraries", async () => {
  const unescaped = (text) => text.replace(/\\(\\|x([0-9a-fA-F]{2}))/g, (_, all, code) =>
    all === "\\" ? "\\" : String.fromCharCode(parseInt(code, 16)));
  let count = 0;
  for (const line of (await readFile(new URL("../../../Tests/Types/cases.tsv", import.meta.url), "utf8")).split("\n")) {
    const [format, sign, value] = line.split("\t");
    // Bytes beyond ASCII are written for texts that are not UTF-8 as well, so they are left to the tests in C.
    if (line.startsWith("#") || value === undefined || /\\x[89a-f]/i.test(value)) continue;
    assert.equal(assay.format(format).accepts(unescaped(value)), sign === "+", line);
    count++;
  }
  assert.ok(count > 1000);
});

test("the module loads from its bytes, without imports of WASI", async () => {
  const bytes = await readFile(`${folder}/assay.wasm`);
  const other = await load(bytes);
  assert.equal(other.version, assay.version);
  assert.equal((await load(await WebAssembly.compile(bytes))).format("email").accepts("a@example.org"), true);
});
