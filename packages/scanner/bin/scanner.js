#!/usr/bin/env node
// A package that was installed has JavaScript in dist/ and no src/; a checkout runs its TypeScript, which needs Node 24.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('../src/cli.ts', import.meta.url));
const needed = isCheckout ? 24 : 20;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  const hint = isCheckout ? ' In the checkout, start it through npm: npx scanner ...' : '';
  console.error(`scanner needs Node ${needed} or later (this is ${process.version}).${hint}`);
  process.exit(1);
}
await import(isCheckout ? '../src/cli.ts' : '../dist/scanner.js');
