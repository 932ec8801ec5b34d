/** The release of libassay, such as "0.1.0". */
export const release: string;
/** The regular expression engine, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT". */
export const engine: string;

/** A value to check. Values other than strings and bytes are checked as the text that `String` returns, `Infinity`
 * as `INF`, and a `Date` as the text of `toISOString`, such as `2024-02-29T12:00:00.000Z`. Bytes may be invalid
 * UTF-8. */
export type Value = string | Uint8Array | number | bigint | boolean | Date | null | undefined;

/** A column in one buffer, as in Arrow, which is read in place. */
export interface TextColumn {
  /** The values in UTF-8. */
  bytes: Uint8Array;
  /** Value i is the bytes from offset i to offset i + 1; there is one more offset than values. */
  offsets: BigInt64Array | Int32Array;
  /** Bit i, least significant first, is 1 if value i is present. By default, all are. */
  validity?: Uint8Array | null;
}

export interface Mistake {
  kind: 'argument' | 'memory' | 'rules' | 'columns' | 'arrow' | 'stream' | 'input' | 'file' | 'cancelled' | 'internal';
  /** In the rule file, from 1; 0: unknown. */
  line: number;
  /** In characters, from 1; in a pattern the byte; 0: unknown. */
  column: number;
  message: string;
  hint: string | null;
  /** The whole text for people, possibly several lines. */
  text: string;
}

/** An error in a call, in rules or in the layout of a table. Bad data is never an error: it is a finding. */
export class AssayError extends Error {
  readonly mistakes: Mistake[];
  /** The kind of the first mistake. */
  readonly kind: Mistake['kind'];
}

export interface Options {
  /** The number of threads, including the caller's, at most 65535; 0, the default: one per processor. */
  threads?: number;
  /** Findings number the first row firstRecord + 1. */
  firstRecord?: number;
  /** The memory limit for the keys of the rules, in bytes; 0: a quarter of the memory. */
  keyMemory?: number;
  /**
   * The maximum work of the call, in ticks, which are nominally nanoseconds of one processor; 0: no limit. Values
   * beyond it are undecided, with a finding of the rule `budget`.
   */
  budgetTicks?: number;
  /** The maximum size of the values that row rules need at the same time, and of repaired columns, in bytes. */
  budgetBytes?: number;
  /** The maximum wall-clock time, as a last resort. */
  budgetNanoseconds?: number;
  /** The value of `now()` in row rules. Default: the time of the call. */
  now?: Date;
  /** The keys of the earlier parts of the table, to which the check adds its own. Not for CSV. */
  seen?: SeenKeys;
}

/** The options of a call that returns a promise. */
export interface AsyncOptions extends Options {
  /** Cancels the call. The promise is then rejected with the reason of the signal. */
  signal?: AbortSignal;
  /** Receives rows or bytes, and their total or 0. An exception ends the call and rejects the promise. */
  onProgress?: (done: number, total: number) => void;
}

/** The paths of the outputs of `cleanFile` and their options. A missing path disables that output. */
export interface Outputs {
  clean?: string;
  rejects?: string;
  /** JSON Lines; CSV if the name ends in `.csv`. */
  findings?: string;
  /** The cells of clean records that repairs changed, in the format of the findings. */
  changes?: string;
  report?: string;
  /** Whether to replace existing outputs. */
  replace?: boolean;
  /** Whether to add the columns `_line` and `_reasons` to the rejects. */
  annotate?: boolean;
  /** The maximum number of findings written; the rest is counted. 0, the default: a million. `Infinity`: no limit. */
  maxFindings?: number;
  /** The maximum number of records read; 0, the default: all. */
  head?: number;
  /**
   * The expected compression of clean and rejects. Their names determine it: `.gz`, `.zst`, and none. A call with other
   * names fails. By default any.
   */
  compression?: 'none' | 'gzip' | 'zstd';
  /** The encoding of the input, such as `windows-1252`, or `auto`. By default from the rules. */
  encoding?: string;
  /** The delimiter of the input: one or two ASCII characters, `tab` or `space`. By default from the rules. */
  delimiter?: string;
  /** Whether findings and changes include values of the data. */
  showValues?: boolean;
  /** Whether cells that a spreadsheet would evaluate get an apostrophe in front. */
  guardFormulas?: boolean;
}

export interface Finding {
  /** The number of the record, from 1. */
  record: number;
  /** In CSV the physical line, from 1; otherwise 0. */
  line: number;
  /** In CSV the byte at which the cell starts; otherwise 0. */
  offset: number;
  /** The field; null for a finding about the whole record. */
  column: string | null;
  /** The rule, such as "email.pattern". */
  rule: string;
  /** The code, such as "pattern", "required", "encoding" or "undecided". */
  code: string;
  message: string;
  /** Whether the record is rejected or stays clean. */
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

/** Compiled rules. They are immutable; the garbage collector frees them. Each worker thread must parse its own. */
export class Rules {
  private constructor();
  /** Parses rules from YAML or JSON, with a name for messages. Files that the rules refer to (`foreignKeys`) are not
   * opened. */
  static parse(text: string | Uint8Array, name?: string): Rules;
  /** Parses the rules in a file. Files that the rules refer to must be in the folder of the file or below. */
  static load(path: string): Rules;
  /** Parses trusted rules, as `parse` does. They may raise the work limits for one value beyond four times the
   * defaults, and refer to any file. */
  static parseTrusted(text: string | Uint8Array, name?: string): Rules;
  /** Parses the trusted rules in a file, as `load` does. */
  static loadTrusted(path: string): Rules;
  /** The names of the fields, in the order of the rule file. */
  readonly fields: readonly string[];
  /** Returns the rules as JSON, which `parse` reads in another thread or process. */
  json(): string;
  /** Returns whether a record is clean. Returns false for a record with findings, and if it cannot decide, because
   * the rules have keys or repairs for example; `checkRecord` then returns the findings. */
  accepts(record: Record<string, Value | unknown>): boolean;
  /** Returns whether a record is clean, as `accepts` does, from its values in the order of `fields`. */
  acceptsValues(values: readonly Value[]): boolean;
  /** Returns the findings of one record, which is clean if the array is empty. */
  checkRecord(record: Record<string, Value | unknown>): Finding[];
  /** Checks records as one table. Fields are paths to own properties, as in JSON Lines: `address.city`. */
  checkRecords(records: Record<string, Value | unknown>[], options?: Options): CheckResult;
  /** Checks a table of columns. */
  check(columns: Record<string, Value[] | TextColumn>, options?: Options): CheckResult;
  /** Checks a column with the rules of one field. */
  checkColumn(field: string, values: Value[] | TextColumn, options?: Options): CheckResult;
  /** Checks CSV, including its header, in the dialect of the rules. */
  checkCsv(csv: string | Uint8Array, options?: Options): CheckResult;
  /** Checks a table, as `check` does, on another thread. The values are copied before the call returns. */
  checkAsync(columns: Record<string, Value[] | TextColumn>, options?: AsyncOptions): Promise<CheckResult>;
  /** Checks CSV on another thread. The bytes are copied before the call returns. */
  checkCsvAsync(csv: string | Uint8Array, options?: AsyncOptions): Promise<CheckResult>;
  /** Creates an object for the keys of a table that several checks process in parts, with a limit in bytes; 0: a
   * quarter of the memory. */
  seenKeys(memory?: number): SeenKeys;
  /** Applies the repairs of a field to a column, and returns the repaired values, which checks use. */
  repair(field: string, values: Value[]): Value[];
  /** Returns a copy of a record with repaired values. */
  repairRecord<T extends Record<string, unknown>>(record: T): T;
  /** Splits a file (CSV, JSON Lines, optionally compressed) into clean records and rejects, as `assay clean` does,
   * on another thread. Returns the report as JSON. A cancelled run leaves no outputs. */
  cleanFile(input: string, outputs?: Outputs, options?: AsyncOptions): Promise<string>;
}

/**
 * The keys of a table that several checks process in parts, and the order of its sorted columns. A record is rejected
 * if an earlier record, of the same or an earlier part, has the same key. Pass the parts in order, with increasing
 * `firstRecord`. Only one check at a time may use the keys; after an error, discard them. Only for
 * `keep: first`. Not for CSV or for foreign keys into the table itself.
 */
export class SeenKeys {
  private constructor();
}

/** The result of a check. Its iterator returns the findings one by one. */
export class CheckResult implements Iterable<Finding> {
  private constructor();
  readonly totals: Totals;
  /** Whether all records are clean. */
  readonly isClean: boolean;
  /** Returns a verdict for each row, true for clean rows. Null for CSV, because its findings have record numbers. */
  verdicts(): boolean[] | null;
  /** Returns the verdicts of a check of one column, null for missing values and if a limit left them undecided. Null
   * for CSV. */
  matches(): (boolean | null)[] | null;
  findings(limit?: number): Finding[];
  /** Returns the number of findings of each rule, including rules without findings. */
  counts(): RuleCount[];
  /** Returns the number of records that the rules of a column reject, each counted once. */
  rejectedBy(column: string): number;
  [Symbol.iterator](): Iterator<Finding>;
}

export interface PatternOptions {
  caseInsensitive?: boolean;
  unicodeClasses?: boolean;
  dotAll?: boolean;
  extended?: boolean;
  multiline?: boolean;
  /** A match anywhere in the value suffices. */
  search?: boolean;
  /** Refuses the pattern unless a DFA matches it in linear time, for untrusted patterns. */
  linearTime?: boolean;
}

/** A compiled PCRE2 pattern. The whole value must match, unless `search` is set. */
export class Pattern {
  constructor(pattern: string, options?: PatternOptions);
  /** Returns whether one value matches, or null if a limit left it undecided. */
  matches(value: Value): boolean | null;
  /** Returns whether each value matches, or null for a missing value and if a limit left it undecided. */
  match(values: Value[] | TextColumn, options?: Options): (boolean | null)[];
}

/** Profiles every value of a file, as `assay profile` does. Returns JSON. */
export function profile(path: string, options?: AsyncOptions & { showsValues?: boolean }): Promise<string>;
/** Infers rules that fit a file, as `assay infer` does. Returns YAML with comments. */
export function infer(path: string, options?: AsyncOptions): Promise<string>;
