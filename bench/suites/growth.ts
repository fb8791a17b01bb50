import { measureFileSizes } from '../growth/measure-file-sizes.ts';
import { measureFullTable } from '../growth/measure-full-table.ts';
import type { Suite } from '../suite.ts';

/**
 * File sizes as multiples of the smallest record count. For 100,000: 10,000 to 300,000, or with --long to 3,000,000
 * records.
 */
const SHORT = [0.1, 0.3, 1, 3];
const LONG = [...SHORT, 10, 30];

/** Measures time and memory by file size and by size of the findings table. */
export const GROWTH: Suite = {
  name: 'growth',
  run: async (context) => {
    const base = Math.min(...context.records);
    const sizes = (context.long ? LONG : SHORT).map((times) => Math.ceil(times * base));
    const results = await measureFileSizes(context, sizes);
    return context.long ? [...results, await measureFullTable(context, base)] : results;
  },
};
