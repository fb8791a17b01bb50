import path from 'node:path';
import { TextlintKernel, type TextlintMessage } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { codePlugin } from './code-plugin.ts';
import { NAMES, splitName } from './word-list.ts';
import { wordListRule } from './word-list-rule.ts';

const kernel = new TextlintKernel();

export type Problem = Pick<TextlintMessage, 'line' | 'column' | 'message'>;

/** Returns the matches of the word list in the name and texts of a file, in order. */
export async function lintFile(file: string, source: string): Promise<Problem[]> {
  const isMarkdown = file.endsWith('.md');
  const { messages } = await kernel.lintText(source, {
    filePath: file,
    ext: isMarkdown ? '.md' : '.txt',
    plugins: [
      isMarkdown
        ? { pluginId: 'markdown', plugin: markdown.default }
        : { pluginId: 'code', plugin: codePlugin },
    ],
    rules: [{ ruleId: 'word-list', rule: wordListRule }],
  });
  const name = splitName(path.basename(file));
  const ofName = NAMES.filter(({ pattern }) => name.search(pattern) >= 0).map(({ instead }) => ({
    line: 1,
    column: 1,
    message: `the name of the file: ${instead}`,
  }));
  return [...ofName, ...messages];
}
