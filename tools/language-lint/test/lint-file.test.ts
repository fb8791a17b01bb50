import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lintFile } from '../src/lint-file.ts';

/** Sentences of earlier versions that no native speaker would have written. */
const PRIVATE = [
  'What is promised',
  'It tells the truth of itself',
  'It removes what nobody needs',
  'Text parts are told by their first bytes',
  'A frame rests',
  'Came in',
  'Of these critical or high',
  'The status says so',
  'The answer has a body',
  'This cannot be taken back',
];
const STANDARD = [
  'Sluice ingests security findings and accounts for every record.',
  'The response has a body.',
  'Press Ctrl-C to stop. In-flight work finishes first.',
  'What happens when a worker crashes?',
];

const messages = async (file: string, source: string) =>
  (await lintFile(file, source)).map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('the word list', () => {
  for (const text of PRIVATE) {
    it(`reports "${text}" in Markdown, comments, messages, labels and test titles`, async () => {
      for (const [file, source] of [
        ['page.md', `# Title\n\n${text}\n`],
        ['code.ts', `// ${text}\n`],
        ['code.ts', `/**\n * ${text.replaceAll(' ', '\n * ')}\n */\n`],
        ['code.ts', `fail(\`${text}: \${reason}\`);\n`],
        ['code.tsx', `const label = <p>${text}</p>;\n`],
        ['code.tsx', `const label = <Button label="${text}" />;\n`],
        ['code.test.ts', `it('${text}', () => {});\n`],
        ['settings.yaml', `# ${text}\n`],
      ] as const)
        assert.equal((await messages(file, source)).length > 0, true, `${file}: ${source}`);
    });
  }

  for (const text of STANDARD) {
    it(`accepts "${text}"`, async () => {
      for (const file of ['page.md', 'settings.yaml'])
        assert.deepEqual(await messages(file, `${text}\n`), []);
      assert.deepEqual(await messages('code.ts', `// ${text}\nlog(${JSON.stringify(text)});\n`), []);
    });
  }

  it('reports names of variables, functions, types, parameters and files with their positions', async () => {
    const source =
      'const kind = 1;\nfunction giveBack(answer: string) {}\ninterface House {}\nclass A { putOff() {} }\n';
    assert.deepEqual(await messages('keep-house.ts', source), [
      '1:1 the name of the file: garbage collection',
      '1:7 "kind": type',
      '2:10 "give back": release',
      '2:19 "answer": response',
      '3:11 "house": garbage collection',
      '4:11 "put off": reschedule',
    ]);
  });

  it('ignores properties of object literals, and inline code in Markdown', async () => {
    assert.deepEqual(await messages('code.ts', "apply({ kind: 'Deployment' });\n"), []);
    assert.deepEqual(await messages('page.md', 'Set `kind` and `what is promised`.\n'), []);
  });

  it('ignores <link> tags in HTML, but not the text next to them', async () => {
    assert.deepEqual(await messages('page.html', '<link rel="stylesheet"\n  href="./answers.css">\n'), []);
    assert.deepEqual(await messages('page.html', '<link href="./answers.css"><p>The answer</p>\n'), [
      '1:35 "answer": response; to respond, to return',
    ]);
  });
});
