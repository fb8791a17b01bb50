import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The page, and the policy under which a browser is to show it. */
export interface StartPage {
  /** Content Security Policy Level 3: nothing but the page's own style, by its hash (section 6.7.3.3). */
  readonly policy: string;
  /** The page for a service at this address, which has no slash at its end. */
  render(address: string): string;
}

const TEMPLATE = new URL('./start-page.html', import.meta.url);
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Reads the page's template. Throws where it is not there or has no style. */
export function loadStartPage(): StartPage {
  const template = readFileSync(TEMPLATE, 'utf8');
  const style = /<style>(.*?)<\/style>/s.exec(template)?.[1];
  if (style === undefined) throw new Error('the template of the start page has no style');
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    // A function: in a text `$&` and its like would have a meaning.
    render: (address) => template.replaceAll('{{address}}', () => escapeHtml(inSingleQuotes(address))),
  };
}

/** The address stands between single quotes in a shell command; a URL means the same with the quote encoded. */
function inSingleQuotes(url: string): string {
  return url.replaceAll("'", '%27');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
