import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listMarkdownFiles, readPage } from './support/markdown.ts';

/** Counts the cells of a table row; an escaped pipe or one in code belongs to its cell. */
function countCells(row: string): number {
  return (
    row
      .trim()
      .replace(/\\\||`[^`]*`/g, '')
      .split('|').length - 2
  );
}

/** Returns the rows whose number of cells differs from the header of their table. */
function brokenRows(text: string): string[] {
  let header: string | undefined;
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.trim().startsWith('```')) isCode = !isCode;
    const isRow = !isCode && /^\s*\|/.test(line);
    if (!isRow) {
      const isCutOff = header !== undefined && !isCode && /\|\s*$/.test(line);
      header = undefined;
      return isCutOff ? [`${index + 1}: ${line}`] : [];
    }
    header ??= line;
    return countCells(line) === countCells(header) ? [] : [`${index + 1}: ${line}`];
  });
}

describe('tables of the documentation', () => {
  for (const page of listMarkdownFiles())
    it(`has as many cells in each table row of ${page} as in the header`, () => {
      assert.deepEqual(brokenRows(readPage(page)), []);
    });
});
