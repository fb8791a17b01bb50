import { run } from './checkout.js';

/**
 * The CycloneDX bill of materials of a package with its dependencies installed, without what differs from build to build:
 * the tarball of the same sources has the same integrity.
 */
export async function cycloneDx(folder) {
  const text = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], folder);
  const { serialNumber: _, metadata, ...rest } = JSON.parse(text);
  const { timestamp: __, ...lasting } = metadata;
  return `${JSON.stringify({ ...rest, metadata: lasting }, null, 2)}\n`;
}
