/** What is used of the WebAssembly JavaScript Interface; TypeScript has its types only together with the browser's. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Global {
    readonly value: number;
  }
}
