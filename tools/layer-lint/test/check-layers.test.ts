import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkLayers } from '../src/check-layers.ts';
import type { Layers } from '../src/layers.ts';

const LAYERS: Layers = {
  root: 'packages/example/src',
  order: ['errors.ts', 'db', 'http', 'features', '.'],
  independent: ['features'],
};

const MODULES: Readonly<Record<string, string>> = {
  'errors.ts': '',
  'db/connect.ts': "import { OwnError } from '../errors.ts';",
  'http/app.ts': "import { connect } from '../db/connect.ts';\nimport './plugins/errors.ts';",
  'features/all.ts': "export { USERS } from './users/endpoints.ts';",
  'features/users/endpoints.ts': "import type { App } from '../../http/app.ts';\nimport './repository.ts';",
  'main.ts':
    "import manifest from '../package.json' with { type: 'json' };\nawait import('./features/all.ts');",
};

/** Checks the modules above with changes, which map a module to its source. */
function check(changes: Readonly<Record<string, string>>): string[] {
  return checkLayers(
    LAYERS,
    Object.entries({ ...MODULES, ...changes }).map(([module, source]) => ({
      file: `${LAYERS.root}/${module}`,
      source,
    })),
  );
}

describe('the layer lint', () => {
  it('accepts imports of the same layer, of lower layers and of the JSON files of the package', () => {
    assert.deepEqual(check({}), []);
  });

  for (const [description, source] of [
    ['an import', "import { app } from '../http/app.ts';"],
    ['a type import', "import type { App } from '../http/app.ts';"],
    ['an inline type import', "export type App = import('../http/app.ts').App;"],
    ['a re-export', "export * from '../http/app.ts';"],
    ['a dynamic import', "export const load = () => import('../http/app.ts');"],
    ['a file in the source folder', "import '../main.ts';"],
  ] as const)
    it(`rejects ${description} of a higher layer`, () => {
      const [violation = '', ...others] = check({ 'db/connect.ts': `\n${source}` });
      assert.match(
        violation,
        /^packages\/example\/src\/db\/connect\.ts:2 imports \S+: db is a lower layer than /,
      );
      assert.deepEqual(others, []);
    });

  it('rejects imports between folders of an independent layer', () => {
    assert.deepEqual(check({ 'features/roles/endpoints.ts': "import '../users/endpoints.ts';" }), [
      'packages/example/src/features/roles/endpoints.ts:1 imports features/users/endpoints.ts: the folders in features must not import each other',
    ]);
  });

  it('rejects an import from another package by its path', () => {
    assert.deepEqual(check({ 'db/connect.ts': "import '../../../server/src/main.ts';" }), [
      'packages/example/src/db/connect.ts:1 imports ../../server/src/main.ts from outside the source folder',
    ]);
  });

  it('rejects a folder without a layer and a layer without modules', () => {
    assert.deepEqual(checkLayers(LAYERS, [{ file: `${LAYERS.root}/utils/text.ts`, source: '' }]), [
      ...LAYERS.order.map((layer) => `packages/example/src: the layer ${layer} has no modules`),
      'packages/example/src/utils/text.ts: the folder has no layer. Add it to tools/layer-lint/src/layers.ts',
    ]);
  });
});
