'use strict';

// Tests of options: progress, cancelled calls, exceptions of callbacks, keys of earlier parts, and outputs.

const assert = require('node:assert/strict');
const { execFile, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const assay = require('..');
const { Rules } = assay;

const RULES = 'fields: [{name: id, type: integer}, {name: text}]';
const CSV = `id,text\n${Array.from({ length: 300_000 }, (_, id) => `${id},some text ${id}\n`).join('')}`;

function folderWith(context, name, content) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const input = path.join(folder, name);
  fs.writeFileSync(input, content);
  return { folder, input };
}

function outputsIn(folder) {
  const names = { clean: 'clean.csv', rejects: 'rejects.csv', findings: 'findings.jsonl', report: 'report.json' };
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, path.join(folder, name)]));
}

test('checks run on another thread, with progress', async () => {
  const rules = Rules.parse('fields: [{name: id, type: integer}]');
  const id = Array.from({ length: 200_000 }, (_, row) => row);
  const reports = [];
  const options = { threads: 2, firstRecord: 5, onProgress: (done, total) => reports.push([done, total]) };
  const [result, csv] = await Promise.all([
    rules.checkAsync({ id: [...id, 'x'] }, options),
    rules.checkCsvAsync('id\n1\ny\n'),
  ]);
  assert.deepEqual(Array.from(result, ({ record }) => record), [200_006]);
  assert.deepEqual(Array.from(csv, ({ record }) => record), [2]);
  assert(reports.length > 0);
  assert.deepEqual(reports.at(-1), [200_001, 200_001]);
  reports.forEach(([done, total], i) => {
    assert(done <= 200_001 && total <= 200_001 && (i === 0 || done >= reports[i - 1][0]));
  });
});

/** Makes a pipe that has CSV without an end until `stop` is called. */
function endless(context) {
  const { folder } = folderWith(context, 'unused', '');
  fs.unlinkSync(path.join(folder, 'unused'));
  const input = path.join(folder, 'pipe.csv');
  assert.equal(spawnSync('mkfifo', [input]).status, 0);
  const stream = fs.createWriteStream(input);
  stream.on('error', () => {}); // the reader has ended
  stream.write('id,text\n');
  const lines = '1,some text\n'.repeat(10_000);
  const write = (error) => error || stream.destroyed || stream.write(lines, write);
  write();
  const stop = () => {
    // A reader, for a stream that still waits for one to open the pipe.
    fs.closeSync(fs.openSync(input, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK));
    stream.destroy();
  };
  return { folder, input, stop };
}

test('an aborted run leaves no output', async (context) => {
  const { folder, input, stop } = endless(context);
  const rules = Rules.parse(RULES);
  const controller = new AbortController();
  const onProgress = (done) => done > 0 && controller.abort();
  const run = rules.cleanFile(input, outputsIn(folder), { signal: controller.signal, onProgress });
  await assert.rejects(run, { name: 'AbortError' });
  stop();
  assert.deepEqual(fs.readdirSync(folder), ['pipe.csv']);

  const other = endless(context);
  const reasoned = new AbortController();
  setTimeout(() => reasoned.abort(new Error('my reason')), 20);
  const second = rules.cleanFile(other.input, outputsIn(other.folder), { threads: 1, signal: reasoned.signal });
  await assert.rejects(second, { message: 'my reason' });
  other.stop();
  assert.deepEqual(fs.readdirSync(other.folder), ['pipe.csv']);
});

test('every promise can be aborted', async (context) => {
  const { input } = folderWith(context, 'long.csv', CSV);
  const rules = Rules.parse(RULES);
  const rows = Array(200_000).fill('1');
  const calls = {
    check: (options) => rules.checkAsync({ id: rows, text: rows }, options),
    csv: (options) => rules.checkCsvAsync(CSV, options),
    profile: (options) => assay.profile(input, options),
    infer: (options) => assay.infer(input, options),
  };
  for (const [name, call] of Object.entries(calls)) {
    const controller = new AbortController();
    const run = call({ threads: 1, signal: controller.signal });
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' }, name);
    await assert.rejects(call({ signal: controller.signal }), { name: 'AbortError' }, `${name}, aborted before`);
  }
  assert.throws(() => rules.checkCsv('id,text\n', { signal: new AbortController().signal }),
    { name: 'TypeError', message: 'signal is an option of calls that return a promise, such as checkAsync' });
  assert.throws(() => rules.check({ id: [], text: [] }, { onProgress() {} }), TypeError);
});

test('exceptions of callbacks reject the promise', async (context) => {
  const { folder, input, stop } = endless(context);
  const rules = Rules.parse(RULES);
  const thrown = new Error('of the callback');
  let count = 0;
  const onProgress = () => {
    count++;
    throw thrown;
  };
  await assert.rejects(rules.cleanFile(input, outputsIn(folder), { onProgress }), (error) => error === thrown);
  stop();
  assert.equal(count, 1);
  assert.deepEqual(fs.readdirSync(folder), ['pipe.csv']);
  await assert.rejects(rules.cleanFile(input, {}, { onProgress: 1 }), { message: 'onProgress is a function' });
  assert.equal((await rules.checkCsvAsync('id,text\n1,\n')).isClean, true);
});

test('a listener of a signal is removed', async () => {
  const rules = Rules.parse(RULES);
  const { getEventListeners } = require('node:events');
  const { signal } = new AbortController();
  await rules.checkCsvAsync('id,text\n', { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a worker may end during a call', () => {
  const worker = `
    const { Rules } = require(${JSON.stringify(require.resolve('..'))});
    const rules = Rules.parse('${RULES}');
    const csv = 'id,text\\n' + '1,some text\\n'.repeat(2_000_000);
    const { parentPort } = require('node:worker_threads');
    rules.checkCsvAsync(csv, { threads: 1, onProgress() { parentPort.postMessage(1); } });`;
  const main = `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true });
    worker.once('message', () => worker.terminate().then(() => console.log('ended')));`;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', main], { encoding: 'utf8' });
  assert.deepEqual({ status, signal, stdout }, { status: 0, signal: null, stdout: 'ended\n' }, stderr);
});

test('the end of a process or a worker cancels calls', async (context) => {
  // The second call waits for the only thread of the pool. The program must end, and write no outputs.
  const program = (folder, input, end) => `
    const { Rules } = require(${JSON.stringify(require.resolve('..'))});
    const rules = Rules.parse('${RULES}');
    const { parentPort } = require('node:worker_threads');
    const end = () => { ${end} };
    const second = ${JSON.stringify(path.join(folder, 'short.csv'))};
    rules.cleanFile(${JSON.stringify(input)}, ${JSON.stringify(outputsIn(folder))}, { onProgress: end });
    rules.cleanFile(second, { clean: second + '.clean' });`;
  const inWorker = (text) => `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(text)}, { eval: true });
    worker.on('message', () => worker.terminate());
    worker.on('exit', (code) => process.exitCode = code);`;
  const ends = {
    'process.exit()': (...names) => program(...names, 'process.exit(7)'),
    'an exception': (...names) => program(...names, "process.nextTick(() => { throw 'a text' })"),
    'a call at the exit': (...names) =>
      program(...names, "process.on('exit', () => rules.cleanFile(second, { clean: second + '.late' })).exit(7)"),
    'worker.terminate()': (...names) => inWorker(program(...names, 'parentPort.postMessage(1)')),
    'process.exit() in a worker': (...names) => inWorker(program(...names, 'process.exit(7)')),
  };
  for (const [name, textOf] of Object.entries(ends)) {
    const { folder, input, stop } = endless(context);
    fs.writeFileSync(path.join(folder, 'short.csv'), 'id,text\n1,a\n');
    const options = { timeout: 60_000, env: { ...process.env, UV_THREADPOOL_SIZE: '1' } };
    const { code, signal } = await new Promise((resolve) => {
      execFile(process.execPath, ['-e', textOf(folder, input)], options, resolve);
    });
    stop();
    const expected = { 'worker.terminate()': 1, 'an exception': 1 }[name] ?? 7;
    assert.deepEqual({ code, signal }, { code: expected, signal: null }, name);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['pipe.csv', 'short.csv'], name);
  }
});

test('parts of a table share keys', async () => {
  const rules = Rules.parse('fields: [{name: id, constraints: {unique: true}}]');
  const seen = rules.seenKeys(1 << 20);
  assert.equal(rules.check({ id: ['a', 'b'] }, { seen }).isClean, true);
  const second = await rules.checkAsync({ id: ['c', 'b'] }, { seen, firstRecord: 2 });
  assert.deepEqual(Array.from(second, ({ record, message }) => [record, message]), [[4, 'equals record 2']]);
  const third = rules.checkAsync({ id: ['d'] }, { seen, firstRecord: 4 });
  assert.throws(() => rules.check({ id: ['e'] }, { seen }), { message: 'another check uses the seen keys' });
  assert.equal((await third).isClean, true);
  assert.equal(rules.check({ id: ['d'] }, { seen, firstRecord: 5 }).isClean, false);
  assert.throws(() => rules.check({ id: [] }, { seen: {} }), { message: 'seen is an object of the class SeenKeys' });
});

test('outputs have the options of the command', async (context) => {
  const csv = Buffer.from('id;text\n1;=caf\xe9\nx;b\ny;c\n9;d\n', 'latin1');
  const { folder, input } = folderWith(context, 'latin.csv', csv);
  const [clean, findings] = ['clean', 'findings.jsonl'].map((name) => path.join(folder, name));
  const rules = Rules.parse(RULES);
  const outputs = {
    clean, findings, encoding: 'windows-1252', delimiter: ';', head: 3, maxFindings: 1, showValues: true,
    guardFormulas: true,
  };
  await rules.cleanFile(input, outputs);
  assert.equal(fs.readFileSync(clean, 'utf8'), "id;text\n1;'=café\n");
  const lines = fs.readFileSync(findings, 'utf8');
  assert.equal(lines.split('\n').length, 2);
  assert.match(lines, /"value":"x"/);
  await rules.cleanFile(input, { ...outputs, replace: true, compression: 'none', maxFindings: Infinity });
  assert.equal(fs.readFileSync(findings, 'utf8').split('\n').length, 3);
  const error = { name: 'AssayError', message: 'the encoding has a NUL in it' };
  await assert.rejects(rules.cleanFile(input, { encoding: '\0' }), error);
  await assert.rejects(rules.cleanFile(input, { compression: 'zip' }), /there is no compression 'zip'/);
  await assert.rejects(rules.cleanFile(input, { head: -1 }), { message: 'head is a whole number, 0 or more' });
});

test('columns may be in one buffer', async () => {
  const rules = Rules.parse('fields: [{name: id, type: integer}, {name: text, constraints: {required: true}}]');
  const bytes = Buffer.from('?12x34?');
  const id = { bytes, offsets: BigInt64Array.of(1n, 3n, 3n, 4n, 6n), validity: Uint8Array.of(0b1101) };
  const text = ['a', null, 'c', Buffer.from('d')];
  const expected = [[2, 'text.required'], [3, 'id.type']];
  for (const table of [{ id, text }, { text, id: { ...id, offsets: Int32Array.of(1, 3, 3, 4, 6) } }]) {
    for (const result of [rules.check(table), await rules.checkAsync(table)]) {
      assert.deepEqual(Array.from(result, ({ record, rule }) => [record, rule]), expected);
    }
  }
  assert.deepEqual(rules.checkColumn('id', id).matches(), [true, null, false, true]);
  // Buffers that another thread takes over during a call.
  const own = new Uint8Array(bytes);
  const later = rules.checkAsync({ id: { ...id, bytes: own }, text });
  structuredClone(own.buffer, { transfer: [own.buffer] });
  assert.deepEqual(Array.from(await later, ({ record, rule }) => [record, rule]), expected);
  assert.equal(rules.check({ id: { bytes, offsets: Int32Array.of(0) }, text: [] }).isClean, true);
  for (const [column, message] of [
    [{ offsets: Int32Array.of(0) }, "the bytes of the column 'id' are a Uint8Array"],
    [{ bytes, offsets: [] },
      "the offsets of the column 'id' are a BigInt64Array or Int32Array, with one more than values"],
    [{ bytes, offsets: new Int32Array(10), validity: [1] },
      "the validity of the column 'id' is a Uint8Array of 2 bytes"],
  ]) {
    assert.throws(() => rules.check({ id: column, text: [] }), { name: 'TypeError', message });
  }
  for (const offsets of [Int32Array.of(0, 99), Int32Array.of(-1, 0), Int32Array.of(1, 0)]) {
    assert.throws(() => rules.checkColumn('id', { bytes, offsets }), { name: 'AssayError', kind: 'argument' });
  }
});

test('joined values are those of single ones', () => {
  const kinds = ['', 'a', 'é', '😀', '\ud83d', 'ア'.repeat(300), 'x'.repeat(70_000), null, undefined, 7, 10n, true, 'b'];
  for (let round = 0; round < 25; round++) {
    const values = Array.from({ length: round * 7 }, (_, row) => kinds[(row * 31 + round * row * 7) % kinds.length]);
    for (const value of ['a', 'é', '😀', 'ア'.repeat(300), '7', 'true']) {
      const rules = Rules.parse(`fields: [{name: v, constraints: {enum: ['${value}']}}]`);
      const text = (one) => (one == null ? null : String(one));
      const expected = values.map((one) => (text(one) === null || text(one) === '' ? null : text(one) === value));
      const found = rules.checkColumn('v', values).verdicts();
      assert.deepEqual(found, expected.map((one) => one !== false));
      const bytes = values.map((one) => (typeof one === 'string' && one.isWellFormed() ? Buffer.from(one) : one));
      assert.deepEqual(rules.checkColumn('v', bytes).verdicts(), found);
      assert.deepEqual(values.map((v) => rules.accepts({ v })), found);
      assert.deepEqual(values.map((v) => rules.acceptsValues([v])), found);
    }
  }
});

test('dates are checked in the notation of RFC 3339', () => {
  const rules = Rules.parse('fields: [{name: at, type: datetime}, {name: text}]');
  const at = new Date(Date.UTC(2024, 1, 29, 12));
  assert.deepEqual(rules.checkRecord({ at, text: at }), []);
  assert.equal(rules.checkRecord({ at: new Date(NaN) }).length, 1);
  assert.deepEqual(Rules.parse("fields: [{name: v, constraints: {pattern: '2024-02-29T12:00:00\\.000Z'}}]")
    .check({ v: [at, 'x'] }).verdicts(), [true, false]);
});

test('now is the time of row rules', async () => {
  const rules = Rules.parse('{fields: [{name: at, type: datetime}], rows: [{check: at <= now()}]}');
  const csv = 'at\n2024-02-29T12:30:00Z\n1969-12-31T23:59:59Z\n';
  const noon = Date.UTC(2024, 1, 29, 12, 30);
  for (const [now, rejected] of [[noon, 0], [noon - 1, 1], [-1, 1], [-1000, 1], [-1001, 2]]) {
    assert.equal(rules.checkCsv(csv, { now: new Date(now) }).totals.rejected, rejected, now);
  }
  assert.equal(rules.checkCsv(csv).totals.rejected, 0);
  for (const now of [noon, '2024-02-29', new Date(NaN)]) {
    assert.throws(() => rules.checkCsv(csv, { now }), /^TypeError: now is a valid Date$/);
  }
});
