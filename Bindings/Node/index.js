'use strict';

// Classes over the functions of src/addon.c. The objects of libassay are private fields, so that other values never
// reach C.

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
    throw Array.isArray(thrown) ? new AssayError(thrown) : thrown;
  }
}

async function callLater(name, ...values) {
  try {
    return await native[name](...values);
  } catch (thrown) {
    throw Array.isArray(thrown) ? new AssayError(thrown) : thrown;
  }
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

function optionsOf({
  threads = 0, firstRecord = 0, keyMemory = 0, budgetTicks = 0, budgetBytes = 0, budgetNanoseconds = 0,
} = {}) {
  const options = { threads, firstRecord, keyMemory, budgetTicks, budgetBytes, budgetNanoseconds };
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} is a whole number, 0 or more`);
  }
  if (threads > 0xffff) throw new RangeError(`threads is ${threads}, and at most 65535`);
  return Object.values(options);
}

function arrayOf(values, what = 'a column') {
  if (!Array.isArray(values)) throw new TypeError(`${what} is an array`);
  return values;
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

  constructor(rules) {
    this.#rules = rules;
    this.#fields = Object.freeze(native.fields(rules));
    this.#paths = this.#fields.map((field) => new FieldPath(field));
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
    return call('accepts', this.#rules, this.#fields, this.#columnsOf([record]));
  }

  checkRecord(record) {
    return this.accepts(record) ? [] : this.checkRecords([record], { threads: 1 }).findings();
  }

  checkRecords(records, options) {
    return this.#check(this.#fields, this.#columnsOf(records), records.length, options);
  }

  check(columns, options) {
    const names = Object.keys(columns).filter((name) => this.#fields.includes(name));
    const arrays = names.map((name) => arrayOf(columns[name], `the column '${name}'`));
    const rows = arrays.length === 0 ? 0 : arrays[0].length;
    arrays.forEach((array, i) => {
      if (array.length !== rows) {
        throw argumentError(`the column '${names[i]}' has ${array.length} values, and '${names[0]}' has ${rows}`);
      }
    });
    return this.#check(names, arrays, rows, options);
  }

  checkColumn(field, values, options) {
    const number = this.#number(field);
    arrayOf(values);
    return new CheckResult(
      call('checkColumn', this.#rules, [field], [values], values.length, optionsOf(options), number),
    );
  }

  checkCsv(csv, options) {
    return new CheckResult(call('checkCsv', this.#rules, bytesOf(csv, 'CSV'), optionsOf(options)));
  }

  repair(field, values) {
    arrayOf(values);
    const repaired = call('repair', this.#rules, [field], [values], values.length, this.#number(field));
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
    const { replace = false, annotate = false } = outputs;
    const path = cText(input, 'the path');
    return callLater('cleanFile', this.#rules, path, paths, Boolean(replace), Boolean(annotate), optionsOf(options));
  }

  #columnsOf(records) {
    if (!Array.isArray(records)) throw new TypeError('records are an array');
    return this.#paths.map((path) => records.map((record) => path.value(record)));
  }

  #check(names, columns, rows, options) {
    return new CheckResult(call('check', this.#rules, names, columns, rows, optionsOf(options)));
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
    return call('rows', this.#result, REJECTED)?.map((isRejected) => !isRejected) ?? null;
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

const FLAGS = ['caseInsensitive', 'unicodeClasses', 'dotAll', 'extended', 'multiline', 'search'];

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
    return this.#rules.accepts({ value }) || this.match([value], { threads: 1 })[0];
  }

  match(values, options) {
    return this.#rules.checkColumn('value', values, options).matches();
  }
}

async function profile(path, { showsValues = false } = {}) {
  return callLater('profile', cText(path, 'the path'), Boolean(showsValues));
}

async function infer(path) {
  return callLater('infer', cText(path, 'the path'));
}

const { release, engine } = native;

module.exports = { AssayError, CheckResult, Pattern, Rules, engine, infer, profile, release };
