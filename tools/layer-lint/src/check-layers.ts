import path from 'node:path';
import { parse } from '@babel/parser';
import * as t from '@babel/types';
import type { Layers } from './layers.ts';

export interface SourceFile {
  /** The path relative to the repository. */
  readonly file: string;
  readonly source: string;
}

/** Checks the imports of a package's modules. Returns one message per violation. */
export function checkLayers(layers: Layers, files: readonly SourceFile[]): string[] {
  const own = files
    .filter(({ file }) => file.startsWith(`${layers.root}/`))
    .map(({ file, source }) => ({ module: file.slice(layers.root.length + 1), file, source }));
  const used = new Set(own.map(({ module }) => layerOf(layers, module)));
  return [
    ...layers.order
      .filter((layer) => !used.has(layer))
      .map((layer) => `${layers.root}: the layer ${layer} has no modules`),
    ...own.flatMap(({ module, file, source }) => {
      const layer = layerOf(layers, module);
      if (layer === undefined)
        return [`${file}: the folder has no layer. Add it to tools/layer-lint/src/layers.ts`];
      return findImports(source)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .flatMap(({ specifier, line }) => {
          const imported = path.posix.join(path.posix.dirname(module), specifier);
          const reason = findViolation(layers, { module, layer }, imported);
          return reason === undefined ? [] : [`${file}:${line} ${reason}`];
        });
    }),
  ];
}

function layerOf({ order }: Layers, module: string): string | undefined {
  const [first = '', ...rest] = module.split('/');
  if (order.includes(first)) return first;
  return rest.length === 0 && order.includes('.') ? '.' : undefined;
}

/** Finds all static, dynamic and type imports and re-exports of a module. */
function findImports(source: string): { readonly specifier: string; readonly line: number }[] {
  const { program } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'jsx'],
    createImportExpressions: true,
  });
  const found: { specifier: string; line: number }[] = [];
  t.traverse(program, (node) => {
    const imported = importedBy(node);
    if (t.isStringLiteral(imported)) found.push({ specifier: imported.value, line: lineOf(imported) });
  });
  return found;
}

function importedBy(node: t.Node): t.Node | null | undefined {
  if (
    t.isImportDeclaration(node) ||
    t.isExportNamedDeclaration(node) ||
    t.isExportAllDeclaration(node) ||
    t.isImportExpression(node)
  )
    return node.source;
  return t.isTSImportType(node) ? node.argument : undefined;
}

/** Nodes that were not created by the parser have no position. */
function lineOf({ type, loc }: t.Node): number {
  if (!loc) throw new Error(`A ${type} has no position`);
  return loc.start.line;
}

function findViolation(
  layers: Layers,
  { module, layer }: { readonly module: string; readonly layer: string },
  imported: string,
): string | undefined {
  // Data of the package, such as package.json.
  if (/^\.\.\/(?!\.\.\/).*\.json$/.test(imported)) return undefined;
  if (imported.startsWith('../')) return `imports ${imported} from outside the source folder`;
  const importedLayer = layerOf(layers, imported) ?? '.';
  if (layers.order.indexOf(importedLayer) > layers.order.indexOf(layer))
    return `imports ${imported}: ${layer} is a lower layer than ${importedLayer}`;
  const isIndependent = layer === importedLayer && layers.independent?.includes(layer) === true;
  const folder = subfolderOf(module);
  if (isIndependent && folder !== undefined && folder !== subfolderOf(imported))
    return `imports ${imported}: the folders in ${layer} must not import each other`;
  return undefined;
}

/** The folder of a module within its layer. `undefined` for a file directly in the layer. */
function subfolderOf(module: string): string | undefined {
  const [, subfolder, file] = module.split('/');
  return file === undefined ? undefined : subfolder;
}
