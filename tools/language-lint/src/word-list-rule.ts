import type { TextlintRuleModule } from '@textlint/kernel';
import { type Entry, NAMES, PHRASES, splitName } from './word-list.ts';

/** Reports matches of the word list. */
export const wordListRule: TextlintRuleModule = ({ Syntax, RuleError, report, locator, getFilePath }) => {
  const isMarkdown = getFilePath()?.endsWith('.md') ?? false;
  const match = (node: { raw: string }, text: string, entries: readonly Entry[]) => {
    for (const { pattern, instead } of entries) {
      for (const found of text.matchAll(pattern)) {
        const padding = locator.at(isMarkdown || text === node.raw ? found.index : 0);
        report(
          node as never,
          new RuleError(`"${found[0].replaceAll(/\s+/g, ' ')}": ${instead}`, { padding }),
        );
      }
    }
  };
  return {
    [Syntax.Str]: (node) => match(node, node.raw, PHRASES),
    [Syntax.Code]: (node) => {
      if (!isMarkdown) match(node, splitName(node.raw), NAMES);
    },
  };
};
