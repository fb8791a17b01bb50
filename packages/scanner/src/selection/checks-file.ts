import { z } from 'zod';
import { readYamlFile } from '../config-file/yaml-file.ts';
import type { Dialect } from '../directory/dialect.ts';
import { splitList } from './split-list.ts';

/**
 * Reads the check IDs, for any dialect, from a file in the format of `--list-checks-json`. Throws a ScannerError with
 * the code `checks_file` (exit code 2) that names the file, line and column.
 */
export async function readChecksFile(path: string, { name }: Dialect): Promise<readonly string[]> {
  const names = z.array(z.string('must be a check ID'), 'must be a list of check IDs');
  const schema = z.record(z.string(), names, 'must be {"directory": ["CHECK", ...]}');
  const file = await readYamlFile(path, schema, { code: 'checks_file', flag: '--checks-file' });
  const checks = file.value[name] ?? file.value.directory ?? file.value.okta;
  if (checks === undefined) throw file.errorAt([], `has no list of checks under "${name}"`);
  return splitList(checks);
}
