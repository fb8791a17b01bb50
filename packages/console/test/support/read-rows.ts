import type { Page } from 'playwright-core';

/** Returns the text of each table cell by row, without the header row. Normalizes white space. */
export async function readRows(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
  const texts = await rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll<HTMLElement>(':scope > :is(td, th)')].map(({ innerText }) => innerText),
    ),
  );
  return texts.map((cells) => cells.map((text) => text.replace(/\s+/g, ' ').trim()));
}
