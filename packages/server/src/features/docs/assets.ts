import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const compress = promisify(gzip);

/** Version of Swagger UI, which renders the reference. */
export const LIBRARY_VERSION: string = z
  .object({ version: z.string() })
  .parse(require('swagger-ui-dist/package.json')).version;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The files that the page loads, by name. */
const FILES = {
  'page.js': { path: pathOf('./page.js'), type: SCRIPT },
  'page.css': { path: pathOf('./page.css'), type: STYLE },
  'swagger-ui-bundle.js': { path: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: require.resolve('swagger-ui-dist/swagger-ui.css'), type: STYLE },
} as const;

export type AssetName = keyof typeof FILES;

export const ASSET_NAMES: readonly AssetName[] = [
  'page.js',
  'page.css',
  'swagger-ui-bundle.js',
  'swagger-ui.css',
];

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** Reads and compresses a file that the page loads. */
export async function readAsset(name: AssetName): Promise<Asset> {
  const { path, type } = FILES[name];
  const bytes = await readFile(path);
  return { type, bytes, gzipped: await compress(bytes) };
}
