import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CHECKOUT, codeBlocksOf, listMarkdownFiles, readPage } from './support/markdown.ts';
import { RUN_PAGES } from './support/run-pages.ts';

const COMMANDS = new Set(['sh', 'bash', 'shell', 'console']);
const PAGES = listMarkdownFiles().filter(
  // The specification is copied verbatim.
  (page) => page === 'README.md' || (page.startsWith('docs/') && page !== 'docs/specification.md'),
);
const RUN: readonly string[] = RUN_PAGES;

const blocks = PAGES.flatMap((page) => codeBlocksOf(readPage(page)).map((block) => ({ page, ...block })));
const placesOf = (found: typeof blocks) => found.map(({ page, line }) => `${page}:${line}`);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The names of all test files in the repository. */
function testFileNames(): ReadonlySet<string> {
  const roots = ['packages', 'tools', 'deploy', 'docs', 'examples', 'image', 'peers', 'scripts'];
  const names = roots.flatMap((root) =>
    readdirSync(path.join(CHECKOUT, root), { recursive: true, encoding: 'utf8' }),
  );
  return new Set(names.map((name) => path.basename(name)).filter((name) => name.endsWith('.test.ts')));
}

describe('code blocks in the documentation', () => {
  it('requires a language for every code block, "text" for output and configuration', () => {
    assert.deepEqual(placesOf(blocks.filter(({ language }) => language === '')), []);
  });

  it('requires every command block to be executed or marked with <!-- not run: REASON -->', () => {
    const commands = blocks.filter(({ language }) => COMMANDS.has(language));
    assert.ok(commands.length > 20);
    const neither = commands.filter(({ page, notRun }) => notRun === undefined && !RUN.includes(page));
    assert.deepEqual(placesOf(neither), []);
  });

  it('finds every test that a <!-- not run --> comment names', () => {
    const names = testFileNames();
    for (const { page, line, notRun = '' } of blocks)
      for (const [name] of notRun.matchAll(/[\w./-]+\.test\.ts/g))
        assert.ok(names.has(path.basename(name)), `${page}:${line}: ${name} does not exist`);
  });

  it('parses every JSON block, including blocks with one value per line', () => {
    const invalid = blocks.filter(
      ({ language, text }) => language === 'json' && !isJson(text) && !text.split('\n').every(isJson),
    );
    assert.deepEqual(placesOf(invalid), []);
  });

  it('finds a file for every page whose commands are executed', () => {
    for (const page of RUN_PAGES) assert.ok(existsSync(path.join(CHECKOUT, page)), page);
  });
});
