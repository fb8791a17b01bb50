#!/usr/bin/env node
// A package that was installed has JavaScript in dist/ and no src/; a checkout runs its TypeScript, never an old build.
// An older Node than 24 would end in an error that says nothing.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('../src/cli.ts', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  const hint = isCheckout ? ' In the checkout, start it through npm: npx sluice ...' : '';
  console.error(`sluice needs Node 24 (this is ${process.version}).${hint}`);
  process.exit(1);
}
await import(isCheckout ? '../src/cli.ts' : '../dist/cli.js');
