'use strict';

// Classes over the functions of src/addon.c. The objects of libassay are private fields, so that other values never
// reach C.

const { isDate } = require('node:util').types;
const native = require('./build/Release/assay.node');

/** An error in a call, in rules or in the layout of a table. Bad data is never an error: it is a finding. */
class AssayError extends Error {
  constructor(mistakes) {
    super(mistakes.map((mistake) => mistake.text).join('\n'));
    this.name = 'AssayError';
    this.mistakes = mistakes;
    this.kind = mistakes[0].kind;
  }
}

function argumentError(message) {
  return new AssayError([{ kind: 'argument', line: 0, column: 0, message, hint: null, text: message }]);
}

/** Calls the library, which throws a list of mistakes. */
function call(name, ...values) {
  try {
    return native[name](...values);
  } catch (thrown) {
    throw errorOf(thrown);
  }
}

// Node.js waits for calls on other threads before it exits.
process.on('exit', () => native.cancelAll());

/** Calls a function of the library that runs on another thread. A signal, and the end of the process, cancel it. */
async function callLater(name, values, { signal, onProgress, ...options } = {}) {
  const { numbers, release } = optionsOf(options);
  try {
    if (onProgress !== undefined && typeof onProgress !== 'function') throw new TypeError('onProgress is a function');
    signal?.throwIfAborted();
    const control = native.control();
    const cancel = () => native.cancel(control);
    const thrown = [];
    const report = (done, total) => {
      try {
        if (thrown.length === 0) onProgress?.(done, total);
      } catch (error) {
        thrown.push(error);
        cancel();
      }
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await call(name, ...values, numbers, control, report);
      // A signal that was aborted at the last moment has an effect, unless the call has written files.
      if (thrown.length === 0 && (!signal?.aborted || name === 'cleanFile')) return answer;
      if (thrown.length === 0) throw signal.reason;
    } catch (error) {
      if (thrown.length === 0) throw signal?.aborted && isCancelled(error) ? signal.reason : errorOf(error);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    throw thrown[0];
  } finally {
    release();
  }
}

function errorOf(thrown) {
  return Array.isArray(thrown) ? new AssayError(thrown) : thrown;
}

function isCancelled(thrown) {
  return Array.isArray(thrown) && thrown[0].kind === 'cancelled';
}

function cText(text, what) {
  if (typeof text !== 'string') throw new TypeError(`${what} is a string`);
  if (text.includes('\0')) throw argumentError(`${what} has a NUL in it`);
  if (!text.isWellFormed()) throw argumentError(`${what} has half of a surrogate pair in it`);
  return text;
}

/** The UTF-8 form. Half a surrogate pair becomes invalid bytes; Node.js would replace it with U+FFFD. */
function bytesOf(text, what) {
  if (typeof text === 'string') return text.isWellFormed() ? Buffer.from(text) : native.encode(text);
  if (text instanceof Uint8Array) return text;
  throw new TypeError(`${what} is a string or a Uint8Array`);
}

/** Returns the object of C for seen keys, and a function that ends their use. */
let useKeys;

/** The keys of a table that several checks process in parts. */
class SeenKeys {
  #keys;
  #isInUse = false;

  constructor(keys) {
    this.#keys = keys;
  }

  static {
    useKeys = (seen) => {
      if (seen.#isInUse) throw argumentError('another check uses the seen keys');
      seen.#isInUse = true;
      return [seen.#keys, () => (seen.#isInUse = false)];
    };
  }
}

const OPTIONS = ['threads', 'firstRecord', 'keyMemory', 'budgetTicks', 'budgetBytes', 'budgetNanoseconds'];

/** Returns the numbers of options for C, and a function that must be called after the call. */
function optionsOf(options = {}) {
  const numbers = OPTIONS.map((name) => countOf(options[name], name));
  if (numbers[0] > 0xffff) throw new RangeError(`threads is ${numbers[0]}, and at most 65535`);
  for (const name of ['signal', 'onProgress']) {
    if (options[name] !== undefined) {
      throw new TypeError(`${name} is an option of calls that return a promise, such as checkAsync`);
    }
  }
  const { seen = null, now = null } = options;
  if (now !== null && !(isDate(now) && Number.isFinite(now.getTime()))) throw new TypeError('now is a valid Date');
  if (seen !== null && !(seen instanceof SeenKeys)) throw new TypeError('seen is an object of the class SeenKeys');
  const [keys, release] = seen === null ? [null, () => {}] : useKeys(seen);
  const time = now === null ? [0, 0, 0] : [1, Math.floor(now.getTime() / 1000), now.getUTCMilliseconds() * 1e6];
  return { numbers: [...numbers, ...time, keys], release };
}

function countOf(value = 0, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} is a whole number, 0 or more`);
  return value;
}

/** Calls a check of the library with options. */
function callWith(options, name, ...values) {
  const { numbers, release } = optionsOf(options);
  try {
    return call(name, ...values, numbers);
  } finally {
    release();
  }
}

function arrayOf(values, what = 'a column') {
  if (!Array.isArray(values)) throw new TypeError(`${what} is an array`);
  return values;
}

/** A value as a string, bytes, or null if it is missing. */
function textOf(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return null;
    case 'number': // Infinity in the notation of the type "number" and of other languages
      return value === Infinity ? 'INF' : value === -Infinity ? '-INF' : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null || value instanceof Uint8Array) return value;
      if (isDate(value)) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  }
  throw new TypeError(
    'a value must be a string, a Uint8Array, a number, a bigint, a boolean, a Date, null or undefined');
}

/** Where each check of a record writes its values for C. */
const RECORD = Buffer.alloc(1 << 16);
/** Longer texts are written by a function of Node.js. */
const SHORT = 64;

/** The number of checks of records, because reading a value can call a function that checks another record. */
let turns = 0;

/** Writes a value to RECORD. Returns its end; -1 if it does not fit, or if it is not a well-formed text. */
function writeText(text, start) {
  if (typeof text !== 'string') {
    text = textOf(text);
    if (typeof text !== 'string') return -1;
  }
  const { length } = text;
  if (start + 3 * length > RECORD.length) return -1;
  if (length <= SHORT) {
    let all = 0;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      RECORD[start + i] = unit;
      all |= unit;
    }
    if (all < 0x80) return start + length;
  }
  return text.isWellFormed() ? start + RECORD.write(text, start) : -1;
}

/** Texts are joined up to this number of units, so that C reads them from the processor's cache. */
const TEXT_UNITS = 1 << 16;

/** A column for C: the values in a few long texts with their lengths. With bytes among the values, their array. */
function columnOf(values) {
  const rows = values.length;
  const texts = [];
  const lengths = new Uint32Array(rows);
  let validity = null;
  let start = 0;
  let units = 0;
  let own = values; // a copy if values are no strings
  for (let row = 0; row < rows; row++) {
    let value = values[row];
    if (typeof value !== 'string') {
      value = textOf(value);
      if (typeof value === 'object' && value !== null) return [Array.from(values, textOf)];
      if (own === values) own = [...values];
      if (value === null) {
        validity ??= new Uint8Array(Math.ceil(rows / 8)).fill(0xff);
        validity[row >> 3] &= ~(1 << (row & 7));
        value = '';
      }
      own[row] = value;
    }
    lengths[row] = value.length;
    units += value.length;
    if (units >= TEXT_UNITS) {
      texts.push(own.slice(start, row + 1).join(''));
      start = row + 1;
      units = 0;
    }
  }
  if (units > 0) texts.push(own.slice(start).join(''));
  return [texts, lengths, validity];
}

/** Whether a column has its values in one buffer. */
function isInPlace(column) {
  return isObject(column) && !Array.isArray(column) && 'offsets' in column;
}

/** A column in one buffer, for C. */
function inPlace({ bytes, offsets, validity = null }, what) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`the bytes of ${what} are a Uint8Array`);
  if (!(offsets instanceof BigInt64Array || offsets instanceof Int32Array) || offsets.length === 0) {
    throw new TypeError(`the offsets of ${what} are a BigInt64Array or Int32Array, with one more than values`);
  }
  const size = Math.ceil((offsets.length - 1) / 8);
  if (validity !== null && (!(validity instanceof Uint8Array) || validity.length < size)) {
    throw new TypeError(`the validity of ${what} is a Uint8Array of ${size} bytes`);
  }
  return [bytes, offsets, validity];
}

/** A copy of a typed array. The method of Buffer would return a view. */
function copyOf(array) {
  return array instanceof Uint8Array ? Uint8Array.prototype.slice.call(array) : array.slice();
}

/** A column of either form, for C, and its number of rows. */
function columnAndRows(column, what) {
  if (isInPlace(column)) return [inPlace(column, what), column.offsets.length - 1];
  return [columnOf(arrayOf(column, what)), column.length];
}

/** Finds the value of a field in a record: a member with its name, or a nested member, `address.city`. */
class FieldPath {
  constructor(field) {
    this.field = field;
    const [keys, lists] = native.pathKeys(field);
    this.lists = lists;
    this.keys = keys.length > 0 && lists === 0 ? keys : [field];
  }

  value(record) {
    // Own properties only: a field may be called "constructor".
    if (Object.hasOwn(record, this.field)) return record[this.field];
    if (this.lists > 0) {
      throw argumentError(
        `the field '${this.field}' is about the elements of a list, which are judged in JSON Lines only`);
    }
    return this.keys.reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : null), record);
  }

  /** Returns the record with another value, in copies of the enclosing objects. Does not add missing members. */
  changed(record, change, keys = Object.hasOwn(record, this.field) ? [this.field] : this.keys) {
    const [key, ...rest] = keys;
    if (!isObject(record) || !Object.hasOwn(record, key)) return record;
    return { ...record, [key]: rest.length > 0 ? this.changed(record[key], change, rest) : change(record[key]) };
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Compiled rules. They are immutable. */
class Rules {
  #rules;
  #fields;
  #paths;
  #ends; // of the values in RECORD; -1 for a missing value. The last element is the verdict.
  #checkRecord; // checks the values in RECORD

  constructor(rules) {
    this.#rules = rules;
    this.#fields = Object.freeze(native.fields(rules));
    this.#paths = this.#fields.map((field) => new FieldPath(field));
    this.#ends = new Int32Array(this.#fields.length + 1);
    this.#checkRecord = native.acceptor(rules, RECORD, this.#ends);
  }

  static parse(text, name = 'rules') {
    return new Rules(call('parse', bytesOf(text, 'a rule file'), cText(name, 'the name of the rules'), false));
  }

  static load(path) {
    return new Rules(call('load', cText(path, 'the path'), false));
  }

  static parseTrusted(text, name = 'rules') {
    return new Rules(call('parse', bytesOf(text, 'a rule file'), cText(name, 'the name of the rules'), true));
  }

  static loadTrusted(path) {
    return new Rules(call('load', cText(path, 'the path'), true));
  }

  get fields() {
    return this.#fields;
  }

  json() {
    return call('json', this.#rules);
  }

  accepts(record) {
    const paths = this.#paths;
    const ends = this.#ends;
    const turn = ++turns;
    let end = 0;
    for (let i = 0; i < paths.length; i++) {
      const value = paths[i].value(record);
      if (value == null) {
        ends[i] = -1;
      } else {
        end = writeText(value, end);
        if (end < 0) return this.#acceptsTexts(paths.map((path) => path.value(record)));
        ends[i] = end;
      }
    }
    if (turn !== turns) return this.#acceptsTexts(paths.map((path) => path.value(record)));
    this.#checkRecord();
    return ends[paths.length] === 1;
  }

  acceptsValues(values) {
    const ends = this.#ends;
    const count = ends.length - 1;
    if (arrayOf(values, 'a record').length !== count) {
      throw argumentError(`the record has ${values.length} values, and the rules have ${count} fields`);
    }
    const turn = ++turns;
    let end = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (value == null) {
        ends[i] = -1;
      } else {
        end = writeText(value, end);
        if (end < 0) return this.#acceptsTexts([...values]);
        ends[i] = end;
      }
    }
    if (turn !== turns) return this.#acceptsTexts([...values]);
    this.#checkRecord();
    return ends[count] === 1;
  }

  /** Checks a record of any values, which may be long. */
  #acceptsTexts(values) {
    return native.acceptsBytes(this.#rules, this.#fields, values.map((value) => [[textOf(value)]]));
  }

  checkRecord(record) {
    return this.accepts(record) ? [] : this.checkRecords([record], { threads: 1 }).findings();
  }

  checkRecords(records, options) {
    return this.#check(this.#fields, this.#columnsOf(records).map(columnOf), records.length, options);
  }

  check(columns, options) {
    const { names, arrays, rows } = this.#tableOf(columns);
    return this.#check(names, arrays, rows, options);
  }

  checkColumn(field, values, options) {
    const number = this.#number(field);
    const [column, rows] = columnAndRows(values, 'a column');
    return new CheckResult(callWith(options, 'checkColumn', this.#rules, [field], [column], rows, number));
  }

  checkCsv(csv, options) {
    return new CheckResult(callWith(options, 'checkCsv', this.#rules, bytesOf(csv, 'CSV')));
  }

  async checkAsync(columns, options) {
    const { names, arrays, rows } = this.#tableOf(columns);
    // Copies, because JavaScript can free the memory of an array at any time by transferring it to a worker.
    for (const column of arrays) {
      for (const part of column.keys()) if (ArrayBuffer.isView(column[part])) column[part] = copyOf(column[part]);
    }
    return new CheckResult(await callLater('checkAsync', [this.#rules, names, arrays, rows], options));
  }

  async checkCsvAsync(csv, options) {
    return new CheckResult(await callLater('checkCsvAsync', [this.#rules, copyOf(bytesOf(csv, 'CSV'))], options));
  }

  seenKeys(memory = 0) {
    return new SeenKeys(call('seenKeys', this.#rules, countOf(memory, 'memory')));
  }

  repair(field, values) {
    arrayOf(values);
    const repaired = call('repair', this.#rules, [field], [columnOf(values)], values.length, this.#number(field));
    if (repaired === null) return [...values];
    return repaired.map((value, row) => (value === undefined ? values[row] : value));
  }

  repairRecord(record) {
    let repaired = { ...record };
    for (const path of this.#paths) {
      repaired = path.changed(repaired, (value) => this.repair(path.field, [value])[0]);
    }
    return repaired;
  }

  async cleanFile(input, outputs = {}, options) {
    const paths = ['clean', 'rejects', 'findings', 'report', 'changes'].map((name) =>
      outputs[name] == null ? null : cText(outputs[name], 'the path'),
    );
    const texts = ['compression', 'encoding', 'delimiter'].map((name) =>
      outputs[name] == null ? null : cText(outputs[name], `the ${name}`),
    );
    const flags = ['replace', 'annotate', 'showValues', 'guardFormulas'].map((name) => Boolean(outputs[name]));
    // -1 is the largest number in C: no limit.
    const maxFindings = outputs.maxFindings === Infinity ? -1 : countOf(outputs.maxFindings, 'maxFindings');
    const numbers = [maxFindings, countOf(outputs.head, 'head')];
    const path = cText(input, 'the path');
    return callLater('cleanFile', [this.#rules, path, [...paths, ...texts], flags, numbers], options);
  }

  #tableOf(columns) {
    const names = Object.keys(columns).filter((name) => this.#fields.includes(name));
    const given = names.map((name) => columnAndRows(columns[name], `the column '${name}'`));
    const rows = given.length === 0 ? 0 : given[0][1];
    given.forEach(([, count], i) => {
      if (count !== rows) {
        throw argumentError(`the column '${names[i]}' has ${count} values, and '${names[0]}' has ${rows}`);
      }
    });
    return { names, arrays: given.map(([column]) => column), rows };
  }

  #columnsOf(records) {
    if (!Array.isArray(records)) throw new TypeError('records are an array');
    return this.#paths.map((path) => records.map((record) => path.value(record)));
  }

  #check(names, columns, rows, options) {
    return new CheckResult(callWith(options, 'check', this.#rules, names, columns, rows));
  }

  #number(field) {
    const number = this.#fields.indexOf(field);
    if (number < 0) throw argumentError(`the rules have no field '${field}'`);
    return number;
  }
}

const REJECTED = 1;
const UNDECIDED = 2;
const MISSING = 3;

/** The result of a check. */
class CheckResult {
  #result;

  constructor(result) {
    this.#result = result;
    this.totals = Object.freeze(native.totals(result));
  }

  get isClean() {
    return this.totals.rejected === 0;
  }

  verdicts() {
    const rejected = call('rows', this.#result, REJECTED);
    return rejected && Array.from(rejected, (isRejected) => isRejected === 0);
  }

  /** The verdicts on one column: true, false, or null for missing and undecided values. Null for CSV. */
  matches() {
    const undecided = call('rows', this.#result, UNDECIDED);
    const missing = call('rows', this.#result, MISSING);
    return this.verdicts()?.map((verdict, row) => (undecided?.[row] || missing?.[row] ? null : verdict)) ?? null;
  }

  *[Symbol.iterator]() {
    const cursor = new BigUint64Array(4);
    for (let found; (found = call('findings', this.#result, cursor, 64)).length > 0; ) yield* found;
  }

  findings(limit = Infinity) {
    const findings = [];
    const cursor = new BigUint64Array(4);
    while (findings.length < limit) {
      const found = call('findings', this.#result, cursor, Math.min(64, limit - findings.length));
      if (found.length === 0) break;
      findings.push(...found);
    }
    return findings;
  }

  counts() {
    return call('counts', this.#result);
  }

  rejectedBy(column) {
    return call('rejectedBy', this.#result, cText(column, 'the name of a column'));
  }
}

const FLAGS = ['caseInsensitive', 'unicodeClasses', 'dotAll', 'extended', 'multiline', 'search',
  'linearTime'];

/** A compiled PCRE2 pattern. */
class Pattern {
  #rules;

  constructor(pattern, options = {}) {
    const unknown = Object.keys(options).find((name) => !FLAGS.includes(name));
    if (unknown !== undefined) throw new TypeError(`'${unknown}' is no option of a pattern: ${FLAGS.join(', ')}`);
    const flags = FLAGS.reduce((bits, name, bit) => (options[name] ? bits | (1 << bit) : bits), 0);
    this.#rules = new Rules(call('compile', bytesOf(pattern, 'a pattern'), flags));
  }

  matches(value) {
    if (value == null) throw new TypeError('there is no value');
    return this.#rules.acceptsValues([value]) || this.match([value], { threads: 1 })[0];
  }

  match(values, options) {
    return this.#rules.checkColumn('value', values, options).matches();
  }
}

async function profile(path, { showsValues = false, ...options } = {}) {
  return callLater('profile', [cText(path, 'the path'), Boolean(showsValues)], options);
}

async function infer(path, options) {
  return callLater('infer', [cText(path, 'the path')], options);
}

const { release, engine } = native;

module.exports = { AssayError, CheckResult, Pattern, Rules, SeenKeys, engine, infer, profile, release };
