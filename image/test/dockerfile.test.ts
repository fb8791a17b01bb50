import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { getProgramSkipReason, runProcess } from '../../examples/test/support/run-process.ts';
import { SETTING_NAMES } from '../../packages/server/src/config/config.ts';
import { healthcheckOf, settingsOf } from './support/build-image.ts';
import { CHECKOUT, parseDockerfile, readDockerfile, type Stage } from './support/dockerfile.ts';

/** Instructions that the Dockerfiles may use. */
const KEYWORDS =
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE HEALTHCHECK LABEL RUN STOPSIGNAL USER VOLUME WORKDIR'.split(' ');

/** Returns a reference to a build argument. */
const argumentValue = (argument: string) => `$\{${argument}}`;
const stages = await readDockerfile();
const final: Stage = stages.at(-1) ?? { image: '', name: undefined, instructions: [] };
const only = (keyword: string) => final.instructions.filter((each) => each.keyword === keyword);

describe('Dockerfile', () => {
  it('the Dockerfiles use only known instructions', () => {
    const unknown = (parsed: readonly Stage[]) =>
      parsed.flatMap(({ instructions }) => instructions).filter(({ keyword }) => !KEYWORDS.includes(keyword));
    assert.deepEqual(unknown(stages), []);
    assert.equal(unknown(parseDockerfile('FROM node:24\nENTRYPONT ["node"]\n')).length, 1);
  });

  it('the Dockerfiles use the exact Node version that npm ci installs', async () => {
    const { version } = JSON.parse(
      await readFile(path.join(CHECKOUT, 'node_modules/node/package.json'), 'utf8'),
    );
    const exact = new RegExp(`^node:${version.replaceAll('.', '\\.')}-bookworm-slim(@sha256:[0-9a-f]{64})?$`);
    for (const { image } of stages) assert.match(image, exact);
  });

  it('each Dockerfile uses one build argument for all base images', async () => {
    for (const name of ['Dockerfile', 'Dockerfile.scanner'] as const) {
      const text = await readFile(path.join(CHECKOUT, name), 'utf8');
      const from = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
      assert.deepEqual(from, [argumentValue('BASE_IMAGE'), argumentValue('BASE_IMAGE')], name);
    }
  });

  it('each Dockerfile labels its image with version, license, source, and SBOM', async () => {
    for (const [name, manifest] of [
      ['Dockerfile', 'package.json'],
      ['Dockerfile.scanner', 'packages/scanner/package.json'],
    ] as const) {
      const { version, license = 'Apache-2.0' } = JSON.parse(
        await readFile(path.join(CHECKOUT, manifest), 'utf8'),
      );
      const { instructions = [] } = (await readDockerfile(name)).at(-1) ?? {};
      const text = instructions.find(({ keyword }) => keyword === 'LABEL')?.text ?? '';
      const labels = Object.fromEntries(
        [...text.matchAll(/(\S+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
      );
      const { 'org.opencontainers.image.title': _, ...others } = labels;
      assert.deepEqual(others, {
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': license,
        'org.opencontainers.image.source': argumentValue('SOURCE'),
        'org.opencontainers.image.revision': argumentValue('REVISION'),
        'org.opencontainers.image.base.name': argumentValue('BASE_IMAGE'),
        'sluice.sbom': '/app/sbom.cdx.json',
      });
      const declared = instructions
        .filter(({ keyword }) => keyword === 'ARG')
        .map(({ text }) => text.split('=')[0]);
      assert.deepEqual(
        declared,
        ['BASE_IMAGE', 'SOURCE', 'REVISION'],
        'the final stage must declare the arguments that its labels use',
      );
    }
  });

  it('the Dockerfile copies only existing files into the image', async () => {
    const copies = stages
      .flatMap(({ instructions }) => instructions)
      .filter((each) => each.keyword === 'COPY');
    for (const { args, flags } of copies) {
      if (flags.from !== undefined) {
        assert.ok(
          stages.some(({ name }) => name === flags.from),
          flags.from,
        );
        continue;
      }
      for (const source of args.slice(0, -1)) await access(path.join(CHECKOUT, source));
    }
  });

  it('the image runs as a non-root user with a numeric ID, which Kubernetes can verify', () => {
    assert.deepEqual(
      only('USER').map(({ text }) => text),
      ['1000:1000'],
    );
    const last = final.instructions.findLastIndex(({ keyword }) => keyword === 'RUN');
    assert.ok(
      final.instructions.findIndex(({ keyword }) => keyword === 'USER') > last,
      'USER must follow the last RUN',
    );
  });

  it('the image starts Node without a shell, so that Node receives signals', () => {
    for (const keyword of ['ENTRYPOINT', 'CMD']) assert.match(only(keyword)[0]?.text ?? '', /^\["/);
    assert.equal(only('STOPSIGNAL')[0]?.text, 'SIGTERM');
    assert.match(only('HEALTHCHECK')[0]?.text ?? '', /^CMD \["/);
  });

  it('the Dockerfile refers only to files in the image that the build creates', async () => {
    const build = await readFile(path.join(CHECKOUT, 'image/build.sh'), 'utf8');
    const [, script = ''] = healthcheckOf(final.instructions);
    for (const file of [script, only('ENTRYPOINT')[0]?.args[1] ?? '']) {
      const relativePath = path.relative('/app', file);
      await access(path.join(CHECKOUT, relativePath));
      assert.ok(relativePath.startsWith('packages/server/') || build.includes(relativePath), relativePath);
    }
  });

  it('the image sets only environment variables that the service reads', () => {
    for (const [name] of only('ENV').flatMap(settingsOf)) assert.ok(SETTING_NAMES.has(name), name);
  });
});

describe('image scripts', { skip: await getProgramSkipReason('shellcheck') }, () => {
  for (const script of ['image/build.sh', 'image/postgres/create-database.sh'])
    it(`${script} passes shellcheck`, async () => {
      const { code, stdout } = await runProcess('shellcheck', [path.join(CHECKOUT, script)]);
      assert.deepEqual([code, stdout], [0, '']);
    });
});
