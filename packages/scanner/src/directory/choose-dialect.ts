import { matchKnownValue } from '../selection/known-values.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { present, readDirectoryEnvironment } from './environment.ts';

/**
 * Returns the dialect from `--dialect` or `DIRECTORY_DIALECT`. The default is `okta` for Okta domains and `directory`
 * for other domains. Throws a ScannerError with the code `unknown_dialect` (exit code 2).
 */
export function chooseDialect({
  flag,
  orgDomain,
  env,
}: {
  readonly flag: string | undefined;
  /** The organization domain from the command line. */
  readonly orgDomain: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}): Dialect {
  const named = present(flag) ?? present(env.DIRECTORY_DIALECT);
  if (named !== undefined) return DIALECTS[matchKnownValue(named, ['directory', 'okta'], 'dialect')];
  const { orgDomain: domain, orgUrl } = readDirectoryEnvironment(env);
  const host = present(orgDomain) ?? domain ?? hostOf(orgUrl);
  return host !== undefined && isOktaHost(host) ? DIALECTS.okta : DIALECTS.directory;
}

function isOktaHost(host: string): boolean {
  const name = host.toLowerCase();
  return DIALECTS.okta.domainSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}
