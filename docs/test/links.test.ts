import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CHECKOUT, listMarkdownFiles, proseOf, readPage } from './support/markdown.ts';

/** The heading anchors of a page, as GitHub derives them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(readPage(page)).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** The targets of the links and images in a page. */
function linksOf(page: string): readonly string[] {
  const prose = proseOf(readPage(page)).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The reason why a link is broken, or undefined. */
function faultOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [target = '', anchor] = decodeURI(link).split('#');
  const file = target === '' ? page : path.join(path.dirname(page), target);
  if (!existsSync(path.join(CHECKOUT, file))) return `${page}: ${link}: ${file} does not exist`;
  if (anchor === undefined) return undefined;
  if (statSync(path.join(CHECKOUT, file)).isDirectory() || !file.endsWith('.md')) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${page}: ${link}: ${file} has no such heading`;
}

describe('links in Markdown files', () => {
  const pages = listMarkdownFiles();

  it('resolves every relative link in all Markdown files', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
    assert.ok(links.length > 100);
    assert.deepEqual(
      links.flatMap(({ page, link }) => faultOf(page, link) ?? []),
      [],
    );
  });

  it('finds a link in docs/index.md to every page in docs/', () => {
    const linked = new Set(
      linksOf('docs/index.md').map((link) => path.join('docs', link.split('#')[0] ?? '')),
    );
    const unlinked = pages.filter(
      (page) => path.dirname(page) === 'docs' && page !== 'docs/index.md' && !linked.has(page),
    );
    assert.deepEqual(unlinked, []);
  });
});
