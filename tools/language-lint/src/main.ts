// npm run lint:language [-- [--sample COUNT | --count] PATH...]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lintFile } from './lint-file.ts';
import { repositoryFiles } from './repository-files.ts';
import { readTexts } from './texts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, count: { type: 'boolean' } },
});
const files = repositoryFiles(positionals);

if (values.sample !== undefined || values.count) {
  const texts = files.flatMap((file) =>
    readTexts(file, readFileSync(file, 'utf8')).map((text) => ({ ...text, file })),
  );
  if (values.count) {
    for (const [type, found] of Map.groupBy(texts, ({ type }) => type))
      console.log(`${type}: ${found.length}`);
  } else {
    const sentences = texts.filter(({ value }) => /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}/u.test(value));
    for (let left = Math.min(Number(values.sample), sentences.length); left > 0; left--) {
      const [text] = sentences.splice(Math.floor(Math.random() * sentences.length), 1);
      if (text !== undefined)
        console.log(`${text.file} (${text.type}): ${text.value.replaceAll(/[\s\u200b]+/g, ' ').trim()}`);
    }
  }
} else {
  let count = 0;
  for (const file of files) {
    for (const { line, column, message } of await lintFile(file, readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}:${column} ${message}`);
      count++;
    }
  }
  console.log(
    count === 0
      ? `${files.length} files, no wording to fix.`
      : `${count} wordings to fix, see tools/language-lint/src/word-list.ts`,
  );
  if (count > 0) process.exitCode = 1;
}
