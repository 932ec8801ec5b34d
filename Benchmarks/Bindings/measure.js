'use strict';

// The Node.js binding and RegExp; see cases/bindings.py.

const fs = require('node:fs');
const path = require('node:path');
const { Rules } = require('assay');

const [folder, ...numbers] = process.argv.slice(2);
const [records, rounds] = numbers.map(Number);
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');
const load = (name) => Rules.load(path.join(folder, name));
const [codes, dates, ids] = ['codes.txt', 'dates.txt', 'ids.txt'].map(read);
const [byPattern, byType, ofColumn] = ['patterns.yaml', 'types.yaml', 'column.yaml'].map(load);
const code = /^(?:[A-Z]{2}[0-9]{6})$/;
const date = /^(?:\d{4}-\d{2}-\d{2})$/;

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

for (let round = 0; round < rounds; round++) {
  report('record', 'Assay', () => count(records, (i) => byPattern.accepts({ code: codes[i], day: dates[i] })));
  report('record', 'regex', () => count(records, (i) => code.test(codes[i]) && date.test(dates[i])));
  report('typed record', 'Assay', () => count(records, (i) => byType.accepts({ id: ids[i], day: dates[i] })));
  report('column', 'Assay', () => check(codes));
  report('column', 'Assay, one buffer', () => check(buffer));
  report('column', 'regex', () => count(codes.length, (i) => code.test(codes[i])));
}
