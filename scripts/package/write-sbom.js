// node write-sbom.js FOLDER: writes a CycloneDX SBOM, sbom.cdx.json, to a folder in which `npm ci` has run. `npm sbom` does not
// support workspaces without their development dependencies.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const readJson = async (...segments) => JSON.parse(await readFile(path.join(folder, ...segments), 'utf8'));

/** npm's list of installed packages. Links are workspaces, which are also listed with their folders. */
const { version, packages } = await readJson('node_modules/.package-lock.json');
const installed = Object.entries(packages).filter(([location, { link }]) => location !== '' && link !== true);

const components = await Promise.all(
  installed.map(async ([location, { integrity }]) => {
    const manifest = await readJson(location, 'package.json');
    const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`;
    const [algorithm, digest = ''] = integrity?.split('-') ?? [];
    return {
      type: 'library',
      'bom-ref': purl,
      name: manifest.name,
      version: manifest.version,
      purl,
      ...(algorithm === 'sha512' && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
      ...(typeof manifest.license === 'string' && { licenses: [{ expression: manifest.license }] }),
    };
  }),
);
const distinct = [...new Map(components.map((component) => [component['bom-ref'], component])).values()];

// Omit the timestamp and serial number, so that builds are reproducible.
await writeFile(
  path.join(folder, 'sbom.cdx.json'),
  `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'application', name: 'sluice', version } },
      components: distinct.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    },
    null,
    2,
  )}\n`,
);
