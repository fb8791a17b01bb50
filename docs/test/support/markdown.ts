import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** A fenced code block in a Markdown file. */
export interface CodeBlock {
  /** Line number of the opening fence. */
  readonly line: number;
  /** '' if the fence names no language. */
  readonly language: string;
  readonly text: string;
  /** The reason in a `<!-- not run: REASON -->` comment on the line before the fence. */
  readonly notRun: string | undefined;
}

export const readPage = (page: string): string => readFileSync(path.join(CHECKOUT, page), 'utf8');

/** The paths of all Markdown files in the repository. */
export function listMarkdownFiles(): readonly string[] {
  const options = { cwd: CHECKOUT, encoding: 'utf8' } as const;
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '*.md'];
  return execFileSync('git', words, options)
    .split('\0')
    .filter((file) => file !== '');
}

/** The fenced code blocks in a Markdown text, in order. */
export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  const lines = markdown.split('\n');
  const blocks: CodeBlock[] = [];
  for (let index = 0; index < lines.length; index++) {
    const [, indent = '', fence, language = ''] = /^( *)(`{3,})(\w*)/.exec(lines[index] ?? '') ?? [];
    if (fence === undefined) continue;
    const opening = index;
    const content: string[] = [];
    for (index++; index < lines.length && lines[index]?.trim() !== fence; index++)
      content.push((lines[index] ?? '').slice(indent.length));
    const notRun = /^ *<!-- not run: (.+) -->$/.exec(lines[opening - 1] ?? '')?.[1];
    blocks.push({ line: opening + 1, language, text: content.join('\n'), notRun });
  }
  return blocks;
}

/** A Markdown text without code blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^( *)(`{3,})[\s\S]*?^ *\2$/gm, '');
}
