import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CHECKOUT, readDockerfile, type Stage } from './support/dockerfile.ts';

const stages = await readDockerfile('Dockerfile.scanner');
const final: Stage = stages.at(-1) ?? { image: '', name: undefined, instructions: [] };
const only = (keyword: string) => final.instructions.filter((each) => each.keyword === keyword);

describe('Dockerfile.scanner', () => {
  it("Dockerfile.scanner uses the same base images as the service's Dockerfile", async () => {
    const images = new Set((await readDockerfile()).map(({ image }) => image));
    for (const { image } of stages) assert.ok(images.has(image), image);
  });

  it('Dockerfile.scanner copies only existing files that are part of the build context', async () => {
    const ignore = await readFile(path.join(CHECKOUT, 'Dockerfile.scanner.dockerignore'), 'utf8');
    const included = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copies = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ keyword }) => keyword === 'COPY');
    for (const { args, flags } of copies) {
      if (flags.from !== undefined) continue;
      for (const source of args.slice(0, -1)) {
        await access(path.join(CHECKOUT, source));
        assert.ok(
          included.some((name) => source === name || source.startsWith(`${name}/`)),
          source,
        );
      }
    }
  });

  it('Dockerfile.scanner runs the packed scanner with Node as process 1 and a numeric user ID', () => {
    assert.deepEqual(only('ENTRYPOINT')[0]?.args, ['node', '/app/bin/scanner.js']);
    assert.equal(only('USER')[0]?.text, '1000:1000');
    const last = final.instructions.findLastIndex(({ keyword }) => keyword === 'RUN');
    assert.ok(final.instructions.findIndex(({ keyword }) => keyword === 'USER') > last);
  });
});
