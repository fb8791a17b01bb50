import { readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { nearestWord } from '../lib/nearest-word.ts';

/** Settings that can be read from a file. The variable with the suffix `_FILE` contains the path of the file. */
export const SECRETS = ['DATABASE_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

export type Secret = (typeof SECRETS)[number];

/** Returns the name of the variable that contains the path of a secret file. */
export const fileVariable = (secret: Secret): string => `${secret}_FILE`;

export interface SecretFiles {
  /** The secrets that were read from files. */
  readonly values: ReadonlyMap<string, string>;
  /** Error messages, which contain no secrets. */
  readonly faults: readonly string[];
}

/**
 * Reads the files that the `*_FILE` variables refer to, without a trailing line break. Error messages contain neither
 * the content nor the path, because the variable may have been set to the secret itself by mistake.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): SecretFiles {
  const values = new Map<string, string>();
  const faults: string[] = [];
  for (const secret of SECRETS) {
    const variable = fileVariable(secret);
    const path = environment[variable]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[secret]?.trim() ?? '') !== '') {
      faults.push(`${secret} and ${variable} are both set; set only one of them`);
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
    return { fault: `must be the path of a readable file: ${reasonOf(error)}` };
  }
  if (content.trim() === '') return { fault: 'must be the path of a file that is not empty' };
  if (/[\r\n]/.test(content)) return { fault: 'must be the path of a file with a single line' };
  return content;
}

/** Returns the system's description of an error, because the error message would contain the path. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number')
    return getSystemErrorMessage(error.errno);
  return 'the path is not valid';
}

const PREFIX = 'SLUICE_';

/** Variables used by the tests. */
const TEST_VARIABLE = /^SLUICE_TEST_/;
/**
 * Kubernetes sets these variables in every pod for a Service named `sluice` or `sluice-...`
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
const KUBERNETES_VARIABLE =
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const KUBERNETES_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * Returns a warning for each `SLUICE_` variable that is not a setting, with the most similar setting as a suggestion.
 */
export function findUnknownSettings(environment: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !known.has(name) && !TEST_VARIABLE.test(name))
    .filter(([name, value = '']) => !KUBERNETES_VARIABLE.test(name) && !KUBERNETES_ADDRESS.test(value))
    .map(([name]) => {
      // Some settings have no prefix, such as LOG_LEVEL.
      const unprefixed = name.slice(PREFIX.length);
      const nearest = known.has(unprefixed) ? unprefixed : nearestWord(name, known);
      return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
}
