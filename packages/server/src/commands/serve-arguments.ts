import { parseArgs } from 'node:util';
import { ROLES, type Role } from '../role.ts';
import { UsageError } from './command.ts';

/** Reads the words after `serve`; throws a UsageError for what it does not take. */
export function readRole(words: readonly string[]): Role {
  const { role: given = 'all', unexpected } = parse(words);
  if (unexpected !== undefined)
    throw new UsageError(`serve takes no arguments but --role, not '${unexpected}'`);
  const role = ROLES.find((name) => name === given);
  if (role === undefined) throw new UsageError(`--role must be ${ROLES.join(', ')}, not '${given}'`);
  return role;
}

function parse(words: readonly string[]): { role: string | undefined; unexpected: string | undefined } {
  try {
    const options = { role: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { role: values.role, unexpected: positionals[0] };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
