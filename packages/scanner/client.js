// `@sluice/scanner/client`: JavaScript in an installed package, TypeScript in a checkout, which requires Node 24.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('src/client/index.ts', import.meta.url));
const client = await import(isCheckout ? './src/client/index.ts' : './dist/client.js');

export const { createIngestionClient, PushError } = client;
