import { nearestWord } from '../nearest-word.ts';

const PREFIX = 'SLUICE_';

/** Variables of the tests. */
const OF_TESTS = /^SLUICE_TEST_/;
/**
 * Kubernetes sets these in every pod for a Service named `sluice` or `sluice-...`
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
const OF_KUBERNETES = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

/** A warning for each `SLUICE_` variable that is not one of the known settings, with the most similar of them. */
export function findUnknownSettings(environment: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !known.has(name) && !OF_TESTS.test(name))
    .filter(([name, value = '']) => !OF_KUBERNETES.test(name) && !ADDRESS_OF_KUBERNETES.test(value))
    .map(([name]) => {
      // Some settings have no prefix, such as LOG_LEVEL.
      const unprefixed = name.slice(PREFIX.length);
      const nearest = known.has(unprefixed) ? unprefixed : nearestWord(name, known);
      return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
}
