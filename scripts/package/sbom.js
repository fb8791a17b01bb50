import { run } from './checkout.js';

/**
 * Returns the CycloneDX SBOM of a package with installed dependencies. It omits values that differ between builds, so that
 * tarballs of the same sources have the same hash.
 */
export async function cycloneDx(folder) {
  const text = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], folder);
  const { serialNumber: _, metadata, ...sbom } = JSON.parse(text);
  const { timestamp: __, ...reproducible } = metadata;
  return `${JSON.stringify({ ...sbom, metadata: reproducible }, null, 2)}\n`;
}
