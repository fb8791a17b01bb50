import { nearestWord } from '../lib/nearest-word.ts';

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

/** Returns a warning for each `SLUICE_` variable that is not a setting, with the most similar setting as a suggestion. */
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
