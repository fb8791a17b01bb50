import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** In bytes. Smaller files are not worth compressing. */
const MIN_SIZE = 512;

const compressions = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes `<file>.br` and `<file>.gz` next to each built file, so that the server does not compress files at runtime. */
export function compressedFiles(): Plugin {
  let folder = '';
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir;
    },
    closeBundle: async () => {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        // The server rewrites index.html for its base path, and does not serve JSON or text files.
        if (!entry.isFile() || /\.(br|gz|html|json|txt)$/.test(file)) continue;
        const bytes = await readFile(file);
        if (bytes.length < MIN_SIZE) continue;
        for (const [ending, compress] of Object.entries(compressions))
          await writeFile(`${file}.${ending}`, await compress(bytes));
      }
    },
  };
}
