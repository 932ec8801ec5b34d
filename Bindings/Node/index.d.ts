/** The release of libassay, such as "0.1.0". */
export const release: string;
/** The engine behind the patterns, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT". */
export const engine: string;

/** A value that is judged. What is no string is judged as the text that `String` makes of it, `Infinity` as
 * `INF`; bytes need not be UTF-8. */
export type Value = string | Uint8Array | number | bigint | boolean | null | undefined;

export interface Mistake {
  kind: 'argument' | 'memory' | 'rules' | 'columns' | 'arrow' | 'stream' | 'input' | 'file' | 'cancelled' | 'internal';
  /** In the rule file, from 1; 0: there is no such place. */
  line: number;
  /** In characters, from 1; of a pattern the byte; 0: there is no such place. */
  column: number;
  message: string;
  hint: string | null;
  /** All of this as people read it, perhaps over several lines. */
  text: string;
}

/** What is wrong with a call, with rules or with the shape of a table. Bad data is never an error: it is a finding. */
export class AssayError extends Error {
  readonly mistakes: Mistake[];
  /** The kind of the first mistake. */
  readonly kind: Mistake['kind'];
}

export interface Options {
  /** How many threads work, the caller's included, at most 65535; 0, the default: one for each processor. */
  threads?: number;
  /** The number of the first row, in findings, is this + 1. */
  firstRecord?: number;
  /** The most bytes that keys of the rules may take; 0: a quarter of the memory. */
  keyMemory?: number;
  /**
   * The most work that the call may take, in ticks, which are nominally nanoseconds of one processor; 0: no bound. Values beyond it
   * are undecided, with a finding of the rule `budget`.
   */
  budgetTicks?: number;
  /** The most bytes of the values that row rules need at the same time, and of repaired columns. */
  budgetBytes?: number;
  /** The most time by the clock, as a last resort. */
  budgetNanoseconds?: number;
}

/** Where the outputs of `cleanFile` go; what is not given is not written. */
export interface Outputs {
  clean?: string;
  rejects?: string;
  /** JSON lines; CSV if it ends in `.csv`. */
  findings?: string;
  /** Which cells of clean records repairs changed; as the findings. */
  changes?: string;
  report?: string;
  /** Whether outputs that exist may be replaced. */
  replace?: boolean;
  /** Whether the rejects get the columns `_line` and `_reasons`. */
  annotate?: boolean;
}

export interface Finding {
  /** From 1. */
  record: number;
  /** Of CSV the physical line, from 1; else 0. */
  line: number;
  /** Of CSV the byte at which the cell starts; else 0. */
  offset: number;
  /** The field; null for what is the record's. */
  column: string | null;
  /** Such as "email.pattern". */
  rule: string;
  /** Such as "pattern", "required", "encoding" or "undecided". */
  code: string;
  message: string;
  /** Whether the record is rejected, or stays. */
  severity: 'reject' | 'warn';
}

export interface RuleCount {
  column: string | null;
  rule: string;
  severity: 'reject' | 'warn';
  failed: number;
  undecided: number;
}

/** Counts of records; clean + rejected = records. */
export interface Totals {
  readonly records: number;
  readonly clean: number;
  readonly rejected: number;
  readonly undecided: number;
  readonly findings: number;
}

/** Rules, read and compiled. They never change; the garbage collector frees them. Each worker thread reads its own. */
export class Rules {
  private constructor();
  /** Reads rules from YAML or JSON; messages call them `name`. No file is opened that they name in `foreignKeys`. */
  static parse(text: string | Uint8Array, name?: string): Rules;
  /** Reads rules from a file. The files that they name must be in its folder, or below it. */
  static load(path: string): Rules;
  /** The same as `parse` for rules that you trust as you trust a program: they may raise the limits on the work for one value beyond
   * four times the defaults, and name any file. */
  static parseTrusted(text: string | Uint8Array, name?: string): Rules;
  /** The same as `load` for rules that you trust as you trust a program. */
  static loadTrusted(path: string): Rules;
  /** The names of the fields, in the order of the file. */
  readonly fields: readonly string[];
  /** The rules as JSON that `parse` reads back: for another thread or process. */
  json(): string;
  /** Whether a record is clean, said at once. False: there is something to say, or it cannot be said at once, as with keys and
   * repairs; `checkRecord` says what. */
  accepts(record: Record<string, Value | unknown>): boolean;
  /** What is wrong with one record: nothing if it is clean. */
  checkRecord(record: Record<string, Value | unknown>): Finding[];
  /** Judges records as one table. Fields are paths to own properties, as in JSON Lines: `address.city`. */
  checkRecords(records: Record<string, Value | unknown>[], options?: Options): CheckResult;
  /** Judges a table of columns. */
  check(columns: Record<string, Value[]>, options?: Options): CheckResult;
  /** Judges a column by the rules of one field. */
  checkColumn(field: string, values: Value[], options?: Options): CheckResult;
  /** Judges CSV, header included, in the dialect of the rules. */
  checkCsv(csv: string | Uint8Array, options?: Options): CheckResult;
  /** The values of a column as the repairs of a field make them, which is how they are judged. */
  repair(field: string, values: Value[]): Value[];
  /** A copy of a record with repaired values. */
  repairRecord<T extends Record<string, unknown>>(record: T): T;
  /** Splits a file (CSV, JSON Lines, packed or not) into clean records and rejects, as `assay clean` does, on another thread. Gives
   * the report, JSON. */
  cleanFile(input: string, outputs?: Outputs, options?: Options): Promise<string>;
}

/** What came of a check. Iterating over it gives the findings one by one. */
export class CheckResult implements Iterable<Finding> {
  private constructor();
  readonly totals: Totals;
  /** Whether no record is rejected. */
  readonly isClean: boolean;
  /** A verdict for each row, true is clean. Null for CSV, whose rows the findings name. */
  verdicts(): boolean[] | null;
  /** Of a check of one column: the verdicts, null where there is no value, or where a limit left it undecided. Null for CSV. */
  matches(): (boolean | null)[] | null;
  findings(limit?: number): Finding[];
  /** How often each rule had a finding; those that found nothing are among them. */
  counts(): RuleCount[];
  /** How many records the rules of a column reject, each counted once. */
  rejectedBy(column: string): number;
  [Symbol.iterator](): Iterator<Finding>;
}

export interface PatternOptions {
  caseInsensitive?: boolean;
  unicodeClasses?: boolean;
  dotAll?: boolean;
  extended?: boolean;
  multiline?: boolean;
  /** A match anywhere in the value is enough. */
  search?: boolean;
}

/** A PCRE2 pattern, compiled. The whole value must match, unless `search` is asked for. */
export class Pattern {
  constructor(pattern: string, options?: PatternOptions);
  /** Whether one value matches; null: a limit left it undecided. */
  matches(value: Value): boolean | null;
  /** Whether each of many values matches; null: there is no value, or a limit left it undecided. */
  match(values: Value[], options?: Options): (boolean | null)[];
}

/** Looks at every value of a file, as `assay profile` does. Gives JSON. */
export function profile(path: string, options?: { showsValues?: boolean }): Promise<string>;
/** Writes rules that fit a file, as `assay infer` does. Gives YAML with comments. */
export function infer(path: string): Promise<string>;
