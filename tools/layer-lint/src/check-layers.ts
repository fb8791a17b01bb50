import path from 'node:path';
import { findImports } from './find-imports.ts';
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
  const modules = own.map(({ module }) => module);
  return [
    ...layers.order
      .filter((layer) => !modules.some((module) => layerOf(layers, module) === layer))
      .map((layer) => `${layers.root}: the layer ${layer} has no modules`),
    ...own.flatMap(({ module, file, source }) => {
      if (layerOf(layers, module) === undefined)
        return [`${file}: the folder has no layer. Add it to tools/layer-lint/src/layers.ts`];
      return findImports(source)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .flatMap(({ specifier, line }) => {
          const imported = path.posix.join(path.posix.dirname(module), specifier);
          const reason = findViolation(layers, module, imported);
          return reason === undefined ? [] : [`${file}:${line} ${reason}`];
        });
    }),
  ];
}

function findViolation(layers: Layers, module: string, imported: string): string | undefined {
  // Data of the package, such as package.json.
  if (imported.startsWith('../') && !imported.startsWith('../../') && imported.endsWith('.json'))
    return undefined;
  if (imported.startsWith('../')) return `imports ${imported} from outside the source folder`;
  const from = layerOf(layers, module) ?? '.';
  const to = layerOf(layers, imported) ?? '.';
  if (layers.order.indexOf(to) > layers.order.indexOf(from))
    return `imports ${imported}: ${from} is a lower layer than ${to}`;
  const isIndependent = from === to && layers.independent?.includes(from) === true;
  if (isIndependent && subfolderOf(module) !== undefined && subfolderOf(module) !== subfolderOf(imported))
    return `imports ${imported}: the folders in ${from} must not import each other`;
  return undefined;
}

function layerOf({ order }: Layers, module: string): string | undefined {
  const [first = '', ...rest] = module.split('/');
  if (order.includes(first)) return first;
  return rest.length === 0 && order.includes('.') ? '.' : undefined;
}

/** The folder of a module within its layer. `undefined` for a file directly in the layer. */
function subfolderOf(module: string): string | undefined {
  const [, subfolder, file] = module.split('/');
  return file === undefined ? undefined : subfolder;
}
