import type { TextlintPluginCreator } from '@textlint/kernel';
import { readTexts, type Text } from './texts.ts';

/** File extensions that `readTexts` supports. Dockerfiles and similar files are passed with the extension `.txt`. */
const EXTENSIONS = ['.ts', '.tsx', '.js', '.mjs', '.json', '.css', '.txt'];

/** Passes the texts of a source file to textlint: sentences as `Str`, names as `Code`. */
export const codePlugin: TextlintPluginCreator = {
  Processor: class {
    availableExtensions() {
      return EXTENSIONS;
    }
    processor() {
      return {
        preProcess(source: string, path = '') {
          const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
          return {
            ...nodeAt(lineStarts, 'Document', source, 0),
            children: readTexts(path, source).map((text) => leaf(lineStarts, text)),
            // A cast instead of textlint's node types, because textlint validates the nodes at run time.
          } as never;
        },
        postProcess: (messages: never[], path = '') => ({ messages, filePath: path }),
      };
    }
  },
};

function leaf(lineStarts: readonly number[], { type, value, start }: Text) {
  return { ...nodeAt(lineStarts, type === 'name' ? 'Code' : 'Str', value, start), value };
}

function nodeAt(lineStarts: readonly number[], type: string, raw: string, start: number) {
  const end = start + raw.length;
  return {
    type,
    raw,
    range: [start, end],
    loc: { start: position(lineStarts, start), end: position(lineStarts, end) },
  };
}

function position(lineStarts: readonly number[], offset: number) {
  const line = lineStarts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (lineStarts[line] ?? 0) };
}
