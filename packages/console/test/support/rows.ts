import type { Page } from 'playwright-core';

/** The texts of a table's cells, row by row, without its head; white space as one blank. */
export async function rowsOf(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
  const texts = await rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll<HTMLElement>(':scope > :is(td, th)')].map(({ innerText }) => innerText),
    ),
  );
  return texts.map((cells) => cells.map((text) => text.replace(/\s+/g, ' ').trim()));
}
