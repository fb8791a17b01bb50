import { matchKnownValue } from '../lib/known-values.ts';
import { DIALECTS, type Dialect } from './dialect.ts';

/** The organization settings in the environment, with the variable names of Sluice or of scanners for Okta. */
export interface DirectoryEnvironment {
  readonly orgDomain: string | undefined;
  readonly orgUrl: string | undefined;
  readonly clientId: string | undefined;
  readonly privateKey: string | undefined;
  readonly privateKeyFile: string | undefined;
  readonly scopes: string | undefined;
}

/**
 * Reads the variables `DIRECTORY_*`, and `OKTA_*` if the former are not set. Domain and URL form a pair, and so do the
 * two key variables. If one `DIRECTORY_` variable of a pair is set, both `OKTA_` variables are ignored, because
 * settings for different organizations must not be combined.
 */
export function readDirectoryEnvironment(env: NodeJS.ProcessEnv): DirectoryEnvironment {
  const address =
    present(env.DIRECTORY_ORG_DOMAIN) === undefined && present(env.DIRECTORY_ORG_URL) === undefined
      ? { orgDomain: present(env.OKTA_ORG_DOMAIN), orgUrl: present(env.OKTA_ORG_URL) }
      : { orgDomain: present(env.DIRECTORY_ORG_DOMAIN), orgUrl: present(env.DIRECTORY_ORG_URL) };
  const key =
    present(env.DIRECTORY_PRIVATE_KEY_FILE) === undefined && isEmpty(env.DIRECTORY_PRIVATE_KEY)
      ? { privateKey: env.OKTA_PRIVATE_KEY, privateKeyFile: present(env.OKTA_PRIVATE_KEY_FILE) }
      : {
          privateKey: env.DIRECTORY_PRIVATE_KEY,
          privateKeyFile: present(env.DIRECTORY_PRIVATE_KEY_FILE),
        };
  return {
    ...address,
    clientId: present(env.DIRECTORY_CLIENT_ID) ?? present(env.OKTA_CLIENT_ID),
    // White space counts as a value here, so that the error mentions the key rather than a missing variable.
    privateKey: isEmpty(key.privateKey) ? undefined : key.privateKey,
    privateKeyFile: key.privateKeyFile,
    scopes: present(env.DIRECTORY_SCOPES) ?? present(env.OKTA_SCOPES),
  };
}

/** The text of a variable or flag without surrounding white space; `undefined` if the result is empty. */
export function present(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}

function isEmpty(value: string | undefined): boolean {
  return value === undefined || value === '';
}

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
