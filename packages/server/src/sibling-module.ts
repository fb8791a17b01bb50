import path from 'node:path';

/**
 * The module of this name in the folder of another one, for `new Worker`: TypeScript in a checkout, JavaScript in a build,
 * whose compiler rewrites imports and nothing else.
 */
export function siblingModule(importMetaUrl: string, name: string): URL {
  return new URL(`./${name}${path.extname(importMetaUrl)}`, importMetaUrl);
}
