import { readFileSync } from 'node:fs';

/** Compiles a WebAssembly module of this package. */
export function compileWasm(file: URL): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(file));
}

/** Instantiates a module. `Exports` describes its exports, which the sources in `assembly/` define. */
export function instantiateWasm<Exports>(module: WebAssembly.Module): Exports {
  return new WebAssembly.Instance(module).exports as Exports;
}
