/** The source of the module; default: assay.wasm beside index.js. */
export type Source = WebAssembly.Module | BufferSource | Response | URL;

export function load(source?: Source): Promise<Assay>;

export type PatternOption = "caseInsensitive" | "unicodeClasses" | "dotAll" | "extended" | "multiline" | "search";

export type TypeName =
  | "string" | "integer" | "number" | "boolean" | "date" | "time" | "datetime" | "year" | "yearmonth" | "duration"
  | "list" | "array" | "object";

export interface Assay {
  readonly version: string;
  readonly types: readonly TypeName[];
  readonly formats: readonly Format[];
  /** A pattern in the syntax of PCRE2, which the whole value must match. Throws `AssayError`. */
  pattern(pattern: string, options?: readonly PatternOption[]): Check;
  /** A type of rule files in its default form. */
  type(name: TypeName): Check;
  /** A built-in format, with options after the name: "iban country=DE". Throws `AssayError`. */
  format(name: string): Check;
}

/** A built-in format. */
export interface Format {
  readonly name: string;
  /** As in "is not an IBAN". */
  readonly title: string;
  /** The standard that it follows. */
  readonly profile: string;
  /** A value that passes. */
  readonly example: string;
  /** The options that may follow the name. */
  readonly options: string;
}

export interface Check {
  check(value: string): Verdict;
  accepts(value: string): boolean;
}

export interface Verdict {
  /** "undecided": a limit stopped the match, so that the value is neither accepted nor refused. */
  readonly verdict: "pass" | "fail" | "undecided";
  /** A stable name, such as "check-digits"; null: not known. */
  readonly reason: string | null;
  /** Continues "is not an IBAN: ". */
  readonly text: string | null;
}

export class AssayError extends Error {
  readonly offset: number;
}
