#!/usr/bin/env node
// An installed package contains JavaScript in dist/ and no src/. A checkout runs TypeScript, which requires Node 24; an older Node
// starts the version that `npm ci` installed.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// A process can hang on exit while a background thread is still compiling (https://github.com/nodejs/node/issues/54918).
setFlagsFromString('--no-concurrent-sparkplug');

const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`scanner requires Node 20 or later (this is ${process.version}).`);
  process.exit(1);
}
if (isCheckout && major < 24) {
  const { runWithInstalledNode } = await import('../../../scripts/run-with-installed-node.js');
  process.exitCode = await runWithInstalledNode('scanner', process.argv.slice(1));
} else await import(isCheckout ? '../src/cli/main.ts' : '../dist/scanner.js');
