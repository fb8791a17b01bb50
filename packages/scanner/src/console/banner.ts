import type { Paint } from '../outputs/paint.ts';

export interface BannerFacts {
  readonly version: string;
  readonly orgDomain: string;
  readonly clientId: string;
  /** Product name. */
  readonly title: string;
  readonly scopes: readonly string[];
  readonly configFile: string | undefined;
  readonly mutelistFile: string | undefined;
  readonly checks: number;
}

/** The banner that is printed before a scan. It contains no secrets. */
export function banner(facts: BannerFacts, paint: Paint): string {
  const { version, orgDomain, clientId, title, scopes, configFile, mutelistFile, checks } = facts;
  const rows = [
    ['Organization', `${orgDomain} (${title})`],
    ['Client ID', clientId],
    ['Authentication', 'OAuth 2.0 client credentials, private-key JWT'],
    ['Scopes', scopes.length === 0 ? 'unknown (not reported by the access token)' : scopes.join(' ')],
    ...(configFile === undefined ? [] : [['Configuration', configFile]]),
    ...(mutelistFile === undefined ? [] : [['Mutelist', mutelistFile]]),
    ['Checks', String(checks)],
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(15)} ${value}`);
  return `${paint('bold', `Sluice scanner ${version}`)}\n\n${lines.join('\n')}\n\n`;
}
