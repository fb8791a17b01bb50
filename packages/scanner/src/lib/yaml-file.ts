import { readFile } from 'node:fs/promises';
import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { errorCode, ScannerError } from './errors.ts';

type Path = readonly PropertyKey[];

/** A YAML (or JSON) file, parsed with a schema, that provides positions for error messages. */
export interface YamlFile<Value> {
  readonly value: Value;
  /**
   * The file, line and column (counted from 1) of the value at this path, or of its closest ancestor, such as
   * `mutes.yaml:3:7`.
   */
  readonly position: (path: Path) => string;
  /** Whether there is a value at this path. */
  readonly has: (path: Path) => boolean;
  /** Creates an error (exit code 2) that starts with the position. */
  readonly errorAt: (path: Path, message: string) => ScannerError;
}

/**
 * Reads a YAML file given on the command line. Throws a ScannerError with the given code (exit code 2) and the position
 * if the file cannot be read, is not YAML 1.2 in UTF-8, or does not match the schema.
 */
export async function readYamlFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  { code, flag }: { readonly code: string; readonly flag: string },
): Promise<YamlFile<z.output<Schema>>> {
  const refuse = (message: string, cause?: unknown) =>
    new ScannerError(code, message, { exitCode: 2, cause });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw refuse(`${flag} ${file} cannot be read: ${whyUnreadable(error)}`, error);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined)
    throw refuse(`${at(syntaxError.pos[0])}: ${firstLine(syntaxError.message)}`, syntaxError);

  const nodeAt = (path: Path) => (path.length === 0 ? document.contents : document.getIn(path, true));
  const position = (path: Path): string => {
    for (let length = path.length; length >= 0; length -= 1) {
      const start = startOf(document.contents, nodeAt, path.slice(0, length));
      if (start !== undefined) return at(start);
    }
    return at(0);
  };
  const errorAt = (path: Path, message: string) => refuse(`${position(path)}: ${message}`);

  const parsed = schema.safeParse(plainValue(() => document.toJS(), refuse, file));
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error, (at) => document.hasIn(at));
    throw errorAt(path, message);
  }
  return { value: parsed.data, position, errorAt, has: (path) => document.hasIn(path) };
}

function whyUnreadable(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8 text';
  const code = errorCode(error);
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a directory';
  return error instanceof Error ? error.message : String(error);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.trim() ?? message;
}

/** The position of the key rather than of its value. */
function startOf(contents: Node | null, nodeAt: (path: Path) => unknown, path: Path): number | undefined {
  const key = path.at(-1);
  const parent = key === undefined ? undefined : nodeAt(path.slice(0, -1));
  if (isMap(parent)) {
    const pair = parent.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(key),
    );
    const name = pair?.key;
    return isNode(name) ? name.range?.[0] : undefined;
  }
  const node = key === undefined ? contents : nodeAt(path);
  return isNode(node) ? node.range?.[0] : undefined;
}

/** Resolves aliases, and rejects a file whose aliases expand without limit. */
function plainValue(
  convert: () => unknown,
  refuse: (message: string, cause: unknown) => ScannerError,
  file: string,
): unknown {
  try {
    return convert();
  } catch (error) {
    throw refuse(`${file}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** The first schema violation. Schema messages are phrased to follow the name of their subject. */
function firstIssue(
  { issues }: z.ZodError,
  has: (path: Path) => boolean,
): { readonly path: Path; readonly message: string } {
  const [issue] = issues;
  if (issue === undefined) return { path: [], message: 'the file is invalid' };
  const { path, message } = issue;
  const name = String(path.findLast((key) => typeof key === 'string') ?? 'the file');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return { path: [...path, key], message: `the key '${key}' is unknown: ${name} ${message}` };
  }
  const index = path.at(-1);
  if (typeof index === 'number') return { path, message: `item ${index + 1} of ${name} ${message}` };
  return { path, message: path.length > 0 && !has(path) ? `${name} is missing` : `${name} ${message}` };
}
