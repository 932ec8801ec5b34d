'use strict';

// Run this file alone, with --expose-gc and --jitless, because the test would also count memory that V8's compiler
// allocates.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { AssayError, Rules } = require('..');

const RULES = `
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
`;

test('nothing leaks', { skip: typeof gc === 'undefined' && 'needs --expose-gc' }, async () => {
  const mistakes = `fields: [${'{nam: x},'.repeat(24)}]`;
  const long = 'v'.repeat(200);
  const round = () => {
    const rules = Rules.parse(RULES);
    const result = rules.checkRecords([{ id: 'x' }]);
    assert.equal(result.findings().length + result.counts().length, 2 + 10);
    assert.throws(() => Rules.parse(mistakes), AssayError);
    const repairs = Rules.parse('fields: [{name: v, repair: [trim]}]');
    for (let i = 0; i < 32; i++) assert.deepEqual(repairs.repair('v', [` ${long}`]), [long]);
  };
  // Finalizers run between the turns of the event loop, so the objects of a batch are freed only after the batch. The
  // V8 heap is not counted.
  const batches = async (count) => {
    for (let batch = 0; batch < count; batch++) {
      for (let i = 0; i < 20; i++) round();
      gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { rss, heapTotal } = process.memoryUsage();
    return rss - heapTotal;
  };
  const before = await batches(20);
  const grown = (await batches(40)) - before;
  assert.ok(grown < 1 << 20, `grown by ${grown} bytes`);
});
