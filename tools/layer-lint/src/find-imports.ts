import { parse } from '@babel/parser';

export interface FoundImport {
  /** The module specifier, such as `../db/connect.ts`. */
  readonly specifier: string;
  readonly line: number;
}

/** Finds all static, dynamic and type imports and re-exports of a TypeScript module. */
export function findImports(source: string): FoundImport[] {
  const { program } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'jsx', 'importAttributes'],
    createImportExpressions: true,
  });
  return [...findIn(program)];
}

function* findIn(node: unknown): Generator<FoundImport> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && 'source' in node && isImport(node.type)) {
    const found = stringLiteral(node.source);
    if (found !== undefined) yield found;
  }
  for (const child of Object.values(node)) yield* findIn(child);
}

function isImport(type: unknown): boolean {
  return (
    type === 'ImportDeclaration' ||
    type === 'ExportNamedDeclaration' ||
    type === 'ExportAllDeclaration' ||
    type === 'ImportExpression'
  );
}

function stringLiteral(node: unknown): FoundImport | undefined {
  if (typeof node !== 'object' || node === null || !('value' in node) || !('loc' in node)) return undefined;
  const { value, loc } = node;
  if (typeof value !== 'string' || typeof loc !== 'object' || loc === null || !('start' in loc))
    return undefined;
  const { start } = loc;
  if (typeof start !== 'object' || start === null || !('line' in start)) return undefined;
  return { specifier: value, line: Number(start.line) };
}
