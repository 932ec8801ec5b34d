// Checks a CSV file and a record of your own against a rule file.
//
//     node check_users.js users.csv users.rules.yaml

const fs = require('node:fs');
const { Rules } = require('..');

const [table, ruleFile] = process.argv.slice(2);
if (ruleFile === undefined) {
  console.error('usage: check_users CSV RULES');
  process.exit(2);
}
const rules = Rules.load(ruleFile);

const result = rules.checkCsv(fs.readFileSync(table));
const { records, clean, rejected } = result.totals;
console.log(`${records} records: ${clean} clean, ${rejected} rejected`);
for (const { line, column, message, rule } of result.findings(3)) {
  console.log(`line ${line}: ${column} ${message} (${rule})`);
}

for (const { column, message } of rules.checkRecord({ id: 1, email: 'anna@example.org', country: 'Norway' })) {
  console.log(`record: ${column} ${message}`);
}
