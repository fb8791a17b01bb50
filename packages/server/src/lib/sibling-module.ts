import path from 'node:path';

/**
 * The URL of a module in the same folder, for `new Worker`: TypeScript in a checkout, JavaScript in a build. The
 * compiler rewrites file extensions only in imports.
 */
export function siblingModule(importMetaUrl: string, name: string): URL {
  return new URL(`./${name}${path.extname(importMetaUrl)}`, importMetaUrl);
}
