// Patterns, types and formats of Assay in WebAssembly, for browsers, Node.js, Deno and workers.
//
//     const assay = await load();
//     assay.format("iban").check("DE89 3704");     // { verdict: "fail", reason: "length", text: "…" }

const patternOptions = {
  caseInsensitive: 1, unicodeClasses: 2, dotAll: 4, extended: 8, multiline: 16, search: 32,
};
const types = [
  "string", "integer", "number", "boolean", "date", "time", "datetime", "year", "yearmonth", "duration", "list",
  "array", "object",
];
const verdicts = ["pass", "fail", "undecided", "fail"];

/** A mistake in a pattern or in a name. */
export class AssayError extends Error {
  constructor(message, offset = 0) {
    super(message);
    this.name = "AssayError";
    /** The place of the mistake in the text, in bytes of UTF-8. */
    this.offset = offset;
  }
}

/** Loads the module from a WebAssembly.Module, its bytes or a Response; default: assay.wasm beside this file. */
export async function load(source) {
  const module = await compile(source ?? new URL("./assay.wasm", import.meta.url));
  // The C library names functions of the system that no check calls. They report "not supported".
  const imports = {};
  for (const { module: name, name: field } of WebAssembly.Module.imports(module)) {
    (imports[name] ??= {})[field] = () => 52;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  instance.exports._initialize?.();
  return new Assay(instance.exports);
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL && source.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(source));
  }
  if (source instanceof URL) source = await fetch(source);
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new AssayError(`${source.url} has status ${source.status}`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source);
}

class Assay {
  #wasm;
  #freed = new FinalizationRegistry((handle) => this.#wasm.free_check(handle));

  constructor(wasm) {
    this.#wasm = wasm;
    this.version = this.#text(wasm.version());
    this.types = Object.freeze([...types]);
    this.formats = Object.freeze([...this.#formats()]);
  }

  /** A pattern that the whole value must match. `options`: see `PatternOption`. */
  pattern(pattern, options = []) {
    let flags = 0;
    for (const option of options) {
      if (!Object.hasOwn(patternOptions, option)) {
        throw new AssayError(`there is no option '${option}'; known are ${Object.keys(patternOptions).join(", ")}`);
      }
      flags |= patternOptions[option];
    }
    return this.#check(this.#with(pattern, (at, count) => this.#wasm.create_pattern(at, count, flags)));
  }

  /** A type of rule files, such as "integer" or "date". */
  type(name) {
    const kind = types.indexOf(name);
    if (kind < 0) throw new AssayError(`there is no type '${name}'; known are ${types.join(", ")}`);
    return this.#check(this.#wasm.create_type(kind));
  }

  /** A built-in format with its options, such as "email" or "iban country=DE". */
  format(name) {
    return this.#check(this.#with(name, (at, count) => this.#wasm.create_format(at, count)));
  }

  #check(handle) {
    if (handle === 0) throw new AssayError(this.#text(this.#wasm.error_message()), this.#wasm.error_offset());
    const check = new Check((value) => this.#evaluate(handle, value));
    this.#freed.register(check, handle);
    return check;
  }

  #evaluate(handle, value) {
    // TextEncoder would replace a lone surrogate, so that another text would be checked.
    if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value)) return notUnicode;
    return this.#with(value, (at, count) => {
      const code = this.#wasm.check(handle, at, count);
      if (code === 3) return notUnicode;
      if (code !== 1) return { verdict: verdicts[code], reason: null, text: null };
      const reason = this.#wasm.reason_name(handle, at, count);
      if (reason === 0) return { verdict: "fail", reason: null, text: null };
      return {
        verdict: "fail", reason: this.#text(reason), text: this.#text(this.#wasm.reason_text(handle, at, count)),
      };
    });
  }

  /** Calls `body` with the place of a text in the memory of the module. */
  #with(text, body) {
    if (typeof text !== "string") throw new TypeError(`a value must be a string, and is ${typeof text}`);
    const bytes = new TextEncoder().encode(text);
    const at = this.#wasm.allocate(bytes.length);
    if (at === 0) throw new AssayError("out of memory");
    try {
      new Uint8Array(this.#wasm.memory.buffer).set(bytes, at);
      return body(at, bytes.length);
    } finally {
      this.#wasm.release(at);
    }
  }

  #text(at) {
    const memory = new Uint8Array(this.#wasm.memory.buffer);
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  *#formats() {
    for (let index = 0; this.#wasm.format_text(index, 0) !== 0; index++) {
      const [name, title, profile, example, options] = [0, 1, 2, 3, 4].map((field) =>
        this.#text(this.#wasm.format_text(index, field)));
      yield Object.freeze({ name, title, profile, example, options });
    }
  }
}

const notUnicode = Object.freeze({ verdict: "fail", reason: "encoding", text: "is not well-formed Unicode" });

class Check {
  #evaluate;

  constructor(evaluate) {
    this.#evaluate = evaluate;
  }

  /** The verdict on a value, and the reason why it fails, if it is known. */
  check(value) {
    return this.#evaluate(value);
  }

  /** Whether a value passes. */
  accepts(value) {
    return this.#evaluate(value).verdict === "pass";
  }
}
