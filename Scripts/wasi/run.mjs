// Runs a program for WASI in Node.js, with the files and the environment of this process.
//
//     node --no-warnings Scripts/wasi/run.mjs PROGRAM.wasm [ARGUMENT…]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [, , program, ...rest] = process.argv;
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
