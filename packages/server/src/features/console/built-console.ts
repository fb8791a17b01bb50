import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** Content codings that the build provides, in order of preference. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that the console page loads. */
export interface ConsoleFile {
  /** Relative to the base URL of the service. */
  readonly path: string;
  readonly mediaType: string;
  /** Whether the file name contains a hash of the content. */
  readonly isHashed: boolean;
  readonly codings: readonly Coding[];
  readonly read: (coding: Coding | 'identity') => Promise<Buffer>;
}

/** The output of `npm run build` in packages/console. */
export interface BuiltConsole {
  /** The HTML page of the single-page application. Contains `<base href="/">`. */
  readonly html: string;
  /** The paths that return the page; `:id` matches one segment. */
  readonly pages: readonly string[];
  readonly files: readonly ConsoleFile[];
}

/** Finds the installed console package. Returns `undefined` if it is not built, and throws if it cannot be read. */
export function findConsole(): BuiltConsole | undefined {
  const folder = path.join(path.dirname(require.resolve('@sluice/console/package.json')), 'dist');
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return {
    html: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    pages: z.array(z.string()).parse(JSON.parse(readFileSync(path.join(folder, 'pages.json'), 'utf8'))),
    files: names.flatMap((name) => fileOf(folder, name, names)),
  };
}

function fileOf(folder: string, name: string, names: readonly string[]): ConsoleFile[] {
  const mediaType = MEDIA_TYPES[path.extname(name)];
  if (mediaType === undefined) return [];
  const contents = new Map<string, Promise<Buffer>>();
  const read = (coding: Coding | 'identity'): Promise<Buffer> => {
    const bytes =
      contents.get(coding) ??
      readFile(path.join(folder, coding === 'identity' ? name : `${name}${EXTENSIONS[coding]}`));
    contents.set(coding, bytes);
    return bytes;
  };
  return [
    {
      path: `/${name.split(path.sep).join('/')}`,
      mediaType,
      isHashed: name.startsWith(`assets${path.sep}`),
      codings: CODINGS.filter((coding) => names.includes(`${name}${EXTENSIONS[coding]}`)),
      read,
    },
  ];
}
