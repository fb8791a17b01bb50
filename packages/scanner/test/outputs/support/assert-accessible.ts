import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const AXE = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const resultsSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** Fails if axe finds a violation of WCAG 2.2 (A and AA) or of axe's best practices. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(await AXE);
  const results: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })`,
  );
  const { violations } = resultsSchema.parse(results);
  assert.deepEqual(
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`)),
    [],
  );
}
