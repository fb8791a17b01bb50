import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { locateElements } from './parsed-array.ts';

/** The example in the repository, and real outputs of a scanner, which stand beside the repository and not in it. */
const EXAMPLE = new URL('../../../../examples/findings.ocsf.json', import.meta.url);
const SCANNER_OUTPUTS = new URL('../../../../../shared/data/', import.meta.url);

/** Records of real files as they are written, white space and all, by their bytes. */
export function corpusRecords(): readonly Buffer[] {
  const outputs = existsSync(SCANNER_OUTPUTS)
    ? readdirSync(SCANNER_OUTPUTS)
        .filter((name) => name.endsWith('.json'))
        .map((name) => new URL(name, SCANNER_OUTPUTS))
    : [];
  return [EXAMPLE, ...outputs.sort()].flatMap((file) => {
    const bytes = readFileSync(file);
    return locateElements(bytes).map(({ start, end }) => bytes.subarray(start, end));
  });
}
