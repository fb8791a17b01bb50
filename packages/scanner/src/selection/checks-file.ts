import { z } from 'zod';
import { readYamlFile } from '../config-file/yaml-file.ts';
import type { Dialect } from '../directory/dialect.ts';
import { splitList } from './split-list.ts';

/**
 * The checks of a file as `--list-checks-json` prints it, for this dialect or another. Throws a
 * ScannerError `checks_file` (exit code 2) with file, line and column.
 */
export async function readChecksFile(path: string, { name }: Dialect): Promise<readonly string[]> {
  const names = z.array(z.string('must be the name of a check'), 'must be a list of checks');
  const schema = z.record(z.string(), names, 'must be {"directory": ["CHECK", ...]}');
  const file = await readYamlFile(path, schema, { code: 'checks_file', flag: '--checks-file' });
  const checks = file.value[name] ?? file.value.directory ?? file.value.okta;
  if (checks === undefined) throw file.fault([], `has no list of checks under "${name}"`);
  return splitList(checks);
}
