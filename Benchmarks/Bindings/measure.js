'use strict';

// The Node.js binding and RegExp; see cases/bindings.py.

const fs = require('node:fs');
const path = require('node:path');
const { Rules } = require('assay');
const empty = require('./empty.node');

const [folder, ...numbers] = process.argv.slice(2);
const [records, rounds] = numbers.map(Number);
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');
const load = (name) => Rules.load(path.join(folder, name));
const [codes, dates, ids] = ['codes.txt', 'dates.txt', 'ids.txt'].map(read);
const [byPattern, byType, ofColumn] = ['patterns.yaml', 'types.yaml', 'column.yaml'].map(load);
const code = /^(?:[A-Z]{2}[0-9]{6})$/;
const date = /^(?:\d{4}-\d{2}-\d{2})$/;

const FIELDS = 8;

/** The values of record i: those of rows i, i + records and so on, alternately of both kinds. */
function valuesOf(i, first) {
  return Array.from({ length: FIELDS }, (_, field) => (field % 2 ? dates : first)[i + (field >> 1) * records]);
}

function report(job, contender, run) {
  const start = process.hrtime.bigint();
  const answer = run();
  console.log([job, contender, Number(process.hrtime.bigint() - start) / 1e9, answer].join('\t'));
}

function count(total, isClean) {
  let clean = 0;
  for (let i = 0; i < total; i++) if (isClean(i)) clean++;
  return clean;
}

const check = (column) => ofColumn.check({ code: column }, { threads: 1 }).totals.clean;
const offsets = new Int32Array(codes.length + 1);
codes.forEach((value, i) => (offsets[i + 1] = offsets[i] + Buffer.byteLength(value)));
const buffer = { bytes: Buffer.from(codes.join('')), offsets };

const indices = Array.from({ length: records }, (_, i) => i);
const [ofCodes, ofIds] = [codes, ids].map((first) => indices.map((i) => valuesOf(i, first)));
const objects = ofCodes.map((values) => Object.fromEntries(byPattern.fields.map((name, i) => [name, values[i]])));

for (let round = 0; round < rounds; round++) {
  report('record', 'Assay', () => count(records, (i) => byPattern.acceptsValues(ofCodes[i])));
  report('record', 'Assay, by name', () => count(records, (i) => byPattern.accepts(objects[i])));
  report('record', 'regex', () => count(records, (i) => {
    for (let row = i; row < i + 4 * records; row += records) {
      if (!code.test(codes[row]) || !date.test(dates[row])) return false;
    }
    return true;
  }));
  report('call', 'Assay', () => count(records, empty));
  report('typed record', 'Assay', () => count(records, (i) => byType.acceptsValues(ofIds[i])));
  report('column', 'Assay', () => check(codes));
  report('column', 'Assay, one buffer', () => check(buffer));
  report('column', 'regex', () => count(codes.length, (i) => code.test(codes[i])));
}
