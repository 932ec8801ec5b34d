'use strict';

// Tests of the public interface: exact answers, mistakes with their places, promises, worker threads, and leaks.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const assay = require('..');
const { AssayError, Pattern, Rules } = assay;

const RULES = `
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
`;

const seen = (findings) =>
  Array.from(findings, ({ record, column, rule, code, severity, message }) => {
    return `${record} ${column ?? '-'} ${rule} ${code}${severity === 'warn' ? ' warn' : ''}: ${message}`;
  });

/** Returns the error that a call throws. */
function refused(body) {
  try {
    body();
  } catch (error) {
    assert(error instanceof AssayError, error);
    return error;
  }
  return assert.fail('not refused');
}

test('the library says what it is', () => {
  assert.equal(assay.release, require('../package.json').version);
  assert.match(assay.engine, /^PCRE2 10\./);
});

test('a table is checked', () => {
  const rules = Rules.parse(RULES);
  assert.deepEqual(rules.fields, ['id', 'email']);
  const result = rules.check({
    id: ['1', '2', 3, 'x', 1n],
    other: [],
    email: ['anna@example.org', 'bo.example.org', null, 'carl@example.org', Buffer.from('dora@example.org')],
  });
  assert.deepEqual(result.verdicts(), [true, false, false, false, false]);
  assert.deepEqual(result.totals, { records: 5, clean: 1, rejected: 4, undecided: 0, findings: 6 });
  assert.equal(result.isClean, false);
  const expected = [
    '1 - short row warn: has a short address',
    '2 email email.format format: is not an e-mail address: there is no @',
    '3 email email.required required: is missing',
    '4 id id.type type: is not an integer',
    '5 - short row warn: has a short address',
    '5 id id.unique unique: equals record 1',
  ];
  assert.deepEqual(seen(result), expected);
  assert.deepEqual(seen(result.findings()), expected);
  assert.deepEqual(seen(result.findings(2)), expected.slice(0, 2));
  const counts = result.counts().filter((count) => count.failed > 0);
  assert.deepEqual(
    counts.map(({ column, rule, severity, failed }) => [column, rule, severity, failed]),
    [
      ['id', 'id.type', 'reject', 1],
      ['email', 'email.required', 'reject', 1],
      ['email', 'email.format', 'reject', 1],
      [null, 'short', 'warn', 2],
      ['id', 'id.unique', 'reject', 1],
    ],
  );
  assert.equal(result.rejectedBy('email'), 2);
  assert.equal(result.rejectedBy('other'), 0);
});

test('many rows on many threads give the same as on one', () => {
  const rules = Rules.parse('fields: [{name: id, type: integer, constraints: {minimum: 10, maximum: 9990}}]');
  const id = Array.from({ length: 10_000 }, (_, row) => row);
  const expected = [...id.slice(0, 10), ...id.slice(9991)].map((row) => 501 + row);
  for (const threads of [1, 4]) {
    const result = rules.check({ id }, { threads, firstRecord: 500 });
    assert.deepEqual(Array.from(result, (found) => found.record), expected);
    assert.deepEqual(result.findings().length, 19);
  }
  assert.throws(() => rules.check({ id }, { threads: -1 }), /^TypeError: threads is a whole number, 0 or more$/);
  assert.throws(() => rules.check({ id }, { threads: 2 ** 32 + 1 }),
    /^RangeError: threads is 4294967297, and at most 65535$/);
});

test('values of a record are in the order of the fields', () => {
  const rules = Rules.parse(
    'fields: [{name: a.b, type: integer}, {name: c, constraints: {required: true}}, ' +
      '{name: d, constraints: {maxLength: 66000}}]');
  const values = ['7', '7 ', '', null, undefined, 'é', '\ud83d', 'x'.repeat(64), 'x'.repeat(65), 'é'.repeat(22_000),
    'x'.repeat(65_536), 'x'.repeat(66_001), Buffer.from('7'), 8, true, new Date(0)];
  for (const b of values) {
    for (const c of [null, '7', 'é', 'x'.repeat(66_000)]) {
      for (const d of values) {
        const record = { a: { b }, c, d };
        const expected = rules.checkRecords([record]).isClean;
        assert.equal(rules.acceptsValues([b, c, d]), expected);
        assert.equal(rules.accepts(record), expected);
      }
    }
  }
  // Reading a value can check another record.
  const reading = (text) => ({ get b() { return rules.acceptsValues(['x', '', 'yyyy']) || text; } });
  assert.equal(rules.accepts({ a: reading('7'), c: 'c' }), true);
  assert.equal(rules.accepts({ a: reading('x'), c: 'c' }), false);
  const date = new Date(0);
  date.toISOString = () => `${rules.accepts({ a: { b: 'x' }, c: '' })}`;
  assert.equal(rules.acceptsValues(['7', 'false', date]), true);
  assert.equal(rules.acceptsValues(['7', '', date]), false);
  assert.throws(() => rules.acceptsValues(['7']),
    { name: 'AssayError', message: 'the record has 1 values, and the rules have 3 fields' });
  assert.throws(() => rules.acceptsValues('7'), { name: 'TypeError', message: 'a record is an array' });
  assert.throws(() => rules.acceptsValues([{}, '', '']), TypeError);
});

test('records are checked', () => {
  const rules = Rules.parse('fields: [{name: id, type: integer}, {name: email, format: email}, {name: constructor}]');
  const good = { id: 7, email: 'anna@example.org', other: new Date() };
  assert.equal(rules.accepts(good), true);
  assert.deepEqual(rules.checkRecord(good), []);
  assert.equal(rules.accepts({}), true);
  const bad = { id: '7 ', email: undefined };
  assert.equal(rules.accepts(bad), false);
  assert.deepEqual(rules.checkRecord(bad), [
    {
      record: 1,
      line: 0,
      offset: 0,
      column: 'id',
      rule: 'id.type',
      code: 'type',
      message: 'is not an integer',
      severity: 'reject',
    },
  ]);
  assert.deepEqual(rules.checkRecords([good, bad, {}]).verdicts(), [true, false, true]);
  assert.equal(rules.checkRecords([]).isClean, true);
  const message =
    'TypeError: a value must be a string, a Uint8Array, a number, a bigint, a boolean, a Date, null or undefined';
  for (const value of [{}, [], Symbol('x'), () => 1, new Uint16Array(1)]) {
    assert.throws(() => rules.accepts({ id: value }), (error) => String(error) === message);
  }
  assert.throws(() => Rules.prototype.json.call({}), TypeError);
});

test('fields are paths into records', () => {
  const rules = Rules.parse(String.raw`fields:
    - {name: o.a, type: integer, repair: [trim]}
    - {name: 'x\.y', type: integer}
    - {name: o.p.q, constraints: {required: true}}`);
  const rulesOf = (record) => rules.checkRecord(record).map((finding) => finding.rule);
  const good = { o: { a: ' 7', p: { q: 'x' } }, 'x.y': 1 };
  assert.deepEqual(rulesOf(good), []);
  assert.deepEqual(rulesOf({ o: { a: 'x', p: {} }, 'x.y': 'y' }), ['o.a.type', 'x\\.y.type', 'o.p.q.required']);
  assert.deepEqual(rulesOf({ 'o.a': '7', o: { a: 'x', p: { q: 'x' } } }), []);
  assert.deepEqual(rulesOf({ o: null }), ['o.p.q.required']);
  assert.deepEqual(rules.checkRecords([good, { o: { a: 'x', p: { q: 'x' } } }]).verdicts(), [true, false]);
  assert.deepEqual(rules.repairRecord(good), { o: { a: '7', p: { q: 'x' } }, 'x.y': 1 });
  assert.equal(good.o.a, ' 7');
  const elements = Rules.parse("fields: [{name: 'tags[]', type: integer}]");
  assert.throws(() => elements.checkRecord({ tags: ['x'] }), /'tags\[\]' is about the elements of a list/);
  assert.equal(elements.checkRecord({ 'tags[]': 'x' }).length, 1);
});

test('texts need not be Unicode nor end with NUL', () => {
  const rules = Rules.parse(String.raw`fields: [{name: v, constraints: {pattern: '(?:a\x00b|😀|é|ア)'}}]`);
  const v = ['a\0b', 'a\0c', 'a', '😀', 'é', 'ア', '\ud83d', 'x\ude00', '\ude00\ud83d', Buffer.from([0x61, 0xff])];
  const result = rules.check({ v });
  assert.deepEqual(result.verdicts(), [true, false, false, true, true, true, false, false, false, false]);
  const invalid = [7, 8, 9, 10].map((record) => `${record} v encoding encoding: is not well-formed UTF-8`);
  assert.deepEqual(seen(result).slice(2), invalid);
  assert.equal(rules.accepts({ v: '😀' }), true);
  assert.equal(rules.accepts({ v: '\ud83d' }), false);
  assert.equal(refused(() => Rules.load('a\0b')).message, 'the path has a NUL in it');
  assert.equal(refused(() => Rules.parse(RULES, 'a\0b')).message, 'the name of the rules has a NUL in it');
});

test('half a surrogate pair is no U+FFFD', async () => {
  const rules = Rules.parse('fields: [{name: v}]');
  assert.deepEqual(seen(rules.checkCsv('v\n\ud800\n')),
    ["1 - encoding encoding: is not well-formed UTF-8: byte ED at offset 2 in column 'v'"]);
  assert.deepEqual(seen(rules.checkCsv('v\n😀\ufffd\n')), []);
  const half = 'a\ud800';
  for (const call of [() => new Pattern(half), () => Rules.parse(`fields: [{name: '${half}'}]`)]) {
    assert.equal(refused(call).kind, 'rules');
  }
  const text = 'the path has half of a surrogate pair in it';
  for (const call of [() => Rules.load(half), () => Rules.loadTrusted(half)]) assert.equal(refused(call).message, text);
  for (const call of [
    () => rules.cleanFile(half),
    () => rules.cleanFile('a', { clean: half }),
    () => assay.profile(half),
    () => assay.infer(half),
  ]) {
    await assert.rejects(call, (error) => error instanceof AssayError && error.message === text);
  }
  assert.match(refused(() => Rules.parse(RULES, half)).message, /^the name of the rules has half/);
  assert.match(refused(() => rules.checkCsv('v\n').rejectedBy(half)).message, /^the name of a column has half/);
});

test('a column is an array', () => {
  const rules = Rules.parse('fields: [{name: v, repair: [trim]}]');
  for (const values of ['abc', { length: 3, 0: 'a' }, new Float64Array(3), null, undefined]) {
    const message = { name: 'TypeError', message: 'a column is an array' };
    for (const call of [
      () => rules.checkColumn('v', values),
      () => rules.repair('v', values),
      () => new Pattern('a').match(values),
    ]) {
      assert.throws(call, message);
    }
    assert.throws(() => rules.check({ v: values }), { name: 'TypeError', message: "the column 'v' is an array" });
  }
});

test('numbers are those of the types', () => {
  const rules = Rules.parse('fields: [{name: v, type: number}]');
  assert.deepEqual(rules.check({ v: [1e21, 0.5, -0, NaN, Infinity, -Infinity] }).verdicts(), Array(6).fill(true));
  assert.deepEqual(new Pattern('-?INF').match([Infinity, -Infinity, 'Infinity']), [true, true, false]);
});

test('CSV is checked', () => {
  const rules = Rules.parse(RULES);
  const result = rules.checkCsv('id,email\n1,anna@example.org\n"2",bo\n');
  assert.equal(result.verdicts(), null);
  assert.equal(result.matches(), null);
  const [, { record, line, offset }] = result;
  assert.deepEqual({ record, line, offset }, { record: 2, line: 3, offset: 32 });
  assert.equal(refused(() => rules.checkCsv('id\n1\n')).kind, 'input');
  assert.equal(refused(() => rules.checkCsv(new Uint8Array())).kind, 'input');
});

test('limits above the ceiling need trust', () => {
  const text = '{limits: {match-base: 20001}, fields: [{name: id}]}';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-node-'));
  try {
    const file = path.join(folder, 'rules.yaml');
    fs.writeFileSync(file, text);
    for (const error of [refused(() => Rules.parse(text)), refused(() => Rules.load(file))]) {
      assert.equal(error.mistakes[0].message, 'a rule file may raise match-base to 20000, not to 20001');
      assert.match(error.mistakes[0].hint, /read it as trusted rules/);
    }
    for (const rules of [Rules.parseTrusted(text), Rules.loadTrusted(file)]) assert.deepEqual(rules.fields, ['id']);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  assert.match(refused(() => Rules.parseTrusted('fields: [', 'users.yaml')).message, /^users.yaml:1:/);
});

// Uses the paths of Tests/Escapes, which Scripts/test-bindings.sh creates.
const escapes = process.env.ASSAY_ESCAPES;
test('rules open files in their folder only', { skip: !escapes && 'ASSAY_ESCAPES is not set' }, () => {
  const lines = fs.readFileSync(path.join(escapes, 'list.tsv'), 'utf8').trim().split('\n');
  assert(lines.length > 60);
  const check = (rules) => assert(rules.check({ id: ['SECRET-0451'] }).isClean);
  const refuse = (body) => assert.doesNotMatch(refused(() => check(body())).message, /SECRET-/);
  for (const [kind, name] of lines.map((line) => line.split('\t'))) {
    const file = path.join(escapes, 'rules', name);
    const text = fs.readFileSync(file, 'utf8');
    if (kind === 'allowed') check(Rules.load(file));
    else refuse(() => Rules.load(file));
    refuse(() => Rules.parse(text, file));
    if (kind !== 'other') check(Rules.loadTrusted(file));
  }
});

test('mistakes in rules have places', () => {
  const text = "fields:\n  - {name: id, typ: integer}\n  - {name: id2, constraints: {pattern: 'a('}}\n";
  const error = refused(() => Rules.parse(text, 'users.yaml'));
  assert.equal(error.mistakes.length, 2);
  const { kind, line, column, message, hint } = error.mistakes[0];
  assert.deepEqual([kind, line, column], ['rules', 2, 16]);
  assert.deepEqual([message, hint], ["unknown key 'typ' in a field", "did you mean 'type'?"]);
  assert.match(error.message, /^users.yaml:2:16: error: unknown key 'typ' in a field\n/);
  assert.match(error.message, /\nusers.yaml:3:/);

  assert.equal(refused(() => Rules.load('no/such/file.yaml')).kind, 'file');
  const rules = Rules.parse(Buffer.from(RULES));
  assert.equal(refused(() => rules.check({ id: ['1'] })).kind, 'columns');
  const uneven = { id: ['1'], email: ['1', '2'] };
  assert.equal(refused(() => rules.check(uneven)).message, "the column 'email' has 2 values, and 'id' has 1");
  assert.equal(refused(() => rules.repair('mail', [])).message, "the rules have no field 'mail'");
});

test('rules travel as JSON, also to worker threads', async () => {
  const rules = Rules.parse(RULES);
  assert.equal(Rules.parse(rules.json()).json(), rules.json());
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { Rules } = require(workerData.module);
    const rules = Rules.parse(workerData.json);
    let count = 0;
    for (let i = 0; i < 100; i++) count += rules.checkRecord({ id: i, email: 'no address' }).length;
    parentPort.postMessage(count);`;
  const workerData = { module: require.resolve('..'), json: rules.json() };
  const counts = Array.from({ length: 4 }, () => {
    const worker = new Worker(code, { eval: true, workerData });
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  });
  assert.deepEqual(await Promise.all(counts), [100, 100, 100, 100]);
});

test('a worker may be the only one that loads the addon', () => {
  const worker = `
    const { Rules } = require(${JSON.stringify(require.resolve('..'))});
    const rules = Rules.parse('fields: [{name: id, type: integer}]');
    rules.check({ id: Array.from({ length: 20_000 }, (_, row) => row) }, { threads: 2 });`;
  const main = `
    const { Worker } = require('node:worker_threads');
    const work = () => new Promise((done, failed) => {
      new Worker(${JSON.stringify(worker)}, { eval: true }).once('exit', done).once('error', failed);
    });
    work().then(work).then(() => setTimeout(() => console.log('ended'), 200));`;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', main], { encoding: 'utf8' });
  assert.deepEqual({ status, signal, stdout }, { status: 0, signal: null, stdout: 'ended\n' }, stderr);
});

test('patterns match, or are undecided', () => {
  const code = new Pattern('[A-Z]{2}[0-9]{6}');
  assert.equal(code.matches('DE104233'), true);
  for (const value of ['DE10423', 'DE1042333', 'de104233', '']) assert.equal(code.matches(value), false, value);
  assert.equal(new Pattern('de', { caseInsensitive: true, search: true }).matches('x DE y'), true);
  assert.deepEqual(code.match(['DE104233', null, 'x']), [true, null, false]);

  const hard = new Pattern(String.raw`(a+)+\1b`);
  const value = 'a'.repeat(60);
  assert.equal(hard.matches(value), null);
  assert.deepEqual([hard.matches('aab'), hard.matches('x')], [true, false]);
  assert.deepEqual(hard.match([value, 'aab']), [null, true]);

  const error = refused(() => new Pattern('a('));
  assert.deepEqual([error.kind, error.mistakes[0].column], ['rules', 3]);
  assert.throws(() => new Pattern('a', { ignoreCase: true }), /'ignoreCase' is no option of a pattern/);
});

test('values are repaired', () => {
  const rules = Rules.parse(
    "fields: [{name: code, repair: [trim, upper], constraints: {pattern: '[A-ZÉ]+'}}, {name: note}]",
  );
  const invalid = Buffer.from([0x61, 0xff]);
  const repaired = rules.repair('code', [' ab ', 'CD', null, '', ' é', invalid, 12]);
  assert.deepEqual(repaired, ['AB', 'CD', null, '', 'É', invalid, 12]);
  assert.equal(repaired[5], invalid);
  assert.deepEqual(rules.repair('note', [' x ', null]), [' x ', null]);
  assert.deepEqual(rules.repair('code', []), []);
  assert.deepEqual(rules.repairRecord({ code: ' ab ', other: 1 }), { code: 'AB', other: 1 });
  assert.deepEqual(rules.checkRecord({ code: ' ab ' }), []);
});

test('files are split, while others go on', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const [input, clean, rejects] = ['users.csv', 'clean.csv', 'rejects.csv'].map((name) => path.join(folder, name));
  fs.writeFileSync(input, 'id,email\n1,anna@example.org\nx,bo@example.org\n');
  const rules = Rules.parse(RULES);
  const report = JSON.parse(await rules.cleanFile(input, { clean, rejects, annotate: true }));
  assert.deepEqual([report.inputs[0].clean, report.inputs[0].rejected], [1, 1]);
  assert.equal(fs.readFileSync(clean, 'utf8'), 'id,email\n1,anna@example.org\n');
  assert.equal(fs.readFileSync(rejects, 'utf8'), 'id,email,_line,_reasons\nx,bo@example.org,3,id.type\n');
  await assert.rejects(rules.cleanFile(input, { clean }),
    (error) => error instanceof AssayError && error.kind === 'input');

  await assert.rejects(assay.infer('no/such/file.csv'), { name: 'AssayError', kind: 'file' });

  const [profile, inferred] = await Promise.all([assay.profile(input), assay.infer(input)]);
  assert.deepEqual(JSON.parse(profile).columns.length, 2);
  assert.deepEqual(Rules.parse(inferred).fields, ['id', 'email']);
});
