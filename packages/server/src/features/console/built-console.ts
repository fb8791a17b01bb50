import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** Compressed by the build, in the order in which they are taken where a browser likes several as well. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const ENDINGS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that a page of the console asks for. */
export interface ConsoleFile {
  /** Below the path of the service. */
  readonly path: string;
  readonly mediaType: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
  readonly codings: readonly Coding[];
  readonly read: (coding: Coding | 'identity') => Promise<Buffer>;
}

/** What `npm run build` has made of packages/console. */
export interface BuiltConsole {
  /** Its one page, which holds `<base href="/">`. */
  readonly html: string;
  /** Where the page is shown; `:id` stands for a segment. */
  readonly pages: readonly string[];
  readonly files: readonly ConsoleFile[];
}

/** Finds the console where the package is installed; `undefined`: it was not built. Throws where it cannot be read. */
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
  const reading = new Map<string, Promise<Buffer>>();
  const read = (coding: Coding | 'identity'): Promise<Buffer> => {
    const bytes =
      reading.get(coding) ??
      readFile(path.join(folder, coding === 'identity' ? name : `${name}${ENDINGS[coding]}`));
    reading.set(coding, bytes);
    return bytes;
  };
  return [
    {
      path: `/${name.split(path.sep).join('/')}`,
      mediaType,
      isHashed: name.startsWith(`assets${path.sep}`),
      codings: CODINGS.filter((coding) => names.includes(`${name}${ENDINGS[coding]}`)),
      read,
    },
  ];
}
