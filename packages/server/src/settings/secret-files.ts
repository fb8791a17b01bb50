import { readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';

/** Settings that can be read from a file, which the variable of the same name with the suffix `_FILE` names. */
export const SECRETS = ['DATABASE_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

export type Secret = (typeof SECRETS)[number];

/** The variable that names the file of a secret. */
export const fileVariable = (secret: Secret): string => `${secret}_FILE`;

export interface SecretFiles {
  /** The secrets that files hold. */
  readonly values: ReadonlyMap<string, string>;
  /** Error messages, which contain no secret. */
  readonly faults: readonly string[];
}

/**
 * Reads the files that `*_FILE` variables name, without a trailing line break. The faults show neither content nor path,
 * because the secret itself may have been set instead of the path.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): SecretFiles {
  const values = new Map<string, string>();
  const faults: string[] = [];
  for (const secret of SECRETS) {
    const variable = fileVariable(secret);
    const path = environment[variable]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[secret]?.trim() ?? '') !== '') {
      faults.push(`${secret} and ${variable} are both set: set only one of them`);
      continue;
    }
    const content = readLine(path);
    if (typeof content === 'string') values.set(secret, content);
    else faults.push(`${variable} ${content.fault}`);
  }
  return { values, faults };
}

function readLine(path: string): string | { readonly fault: string } {
  let content: string;
  try {
    content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    return { fault: `must name a file that can be read: ${reasonOf(error)}` };
  }
  if (content.trim() === '') return { fault: 'must name a file that is not empty' };
  if (/[\r\n]/.test(content)) return { fault: 'must name a file with one line' };
  return content;
}

/** The system's description of an error, because the message contains the path. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number')
    return getSystemErrorMessage(error.errno);
  return 'its path is not valid';
}
