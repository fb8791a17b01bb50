#!/usr/bin/env node
// An installed package contains JavaScript in dist/ and no src/. A checkout runs its TypeScript sources, never a stale
// build. If Node.js is too old, a checkout starts the version that `npm ci` installed. Old versions of Node.js must be
// able to parse this file.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// A process can hang on exit while a background thread is compiling (https://github.com/nodejs/node/issues/54918).
setFlagsFromString('--no-concurrent-sparkplug');

const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
const isTooOld = Number(process.versions.node.split('.')[0]) < 24;
if (isTooOld && isCheckout) {
  const { runWithInstalledNode } = await import('../../../scripts/run-with-installed-node.js');
  process.exitCode = await runWithInstalledNode('sluice', process.argv.slice(1));
} else if (isTooOld) {
  console.error(`sluice requires Node.js 24 or later (this is ${process.version}).`);
  process.exitCode = 1;
} else await import(isCheckout ? '../src/cli/main.ts' : '../dist/cli/main.js');
