#!/usr/bin/env node
// TypeScript runs as it is from Node 24 on; an older Node would end in a syntax error that says nothing.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `sluice needs Node 24 (this is ${process.version}). In the checkout, start it through npm: npx sluice ...`,
  );
  process.exit(1);
}
await import('../src/cli.ts');
