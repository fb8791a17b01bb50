import { z } from 'zod';

/** Loading the overview with an empty cache. */
const firstLoad = z.object({
  /** Transferred size of all resources that the page requested until the network was idle. */
  scriptBytes: z.number(),
  bytes: z.number(),
  /** First Contentful Paint, measured from the start of navigation. */
  paintMs: z.number(),
  /** Time until the page shows the finding counts. */
  figuresMs: z.number(),
  /** Cumulative Layout Shift (Layout Instability API). */
  layoutShift: z.number(),
});

/** Time from the click on "Findings" until rows with text are painted, before and after the page's code is loaded. */
const opening = z.object({ firstMs: z.number(), secondMs: z.number() });

const scrolling = z.object({
  /** Row count of the table. */
  rows: z.number(),
  /** Longest task reported by the Long Tasks API; 0 if no task exceeds 50 ms. */
  longestTaskMs: z.number(),
  framesPerSecond: z.number(),
  /** Time from a jump to the middle until the rows at that position show text. */
  jumpMs: z.number(),
});

/** The output of `measure.ts`, with one element per round. */
export const measured = z.object({
  firstLoads: z.array(firstLoad),
  openings: z.array(opening),
  scrollings: z.array(scrolling),
});

export type FirstLoad = z.infer<typeof firstLoad>;
export type Opening = z.infer<typeof opening>;
export type Scrolling = z.infer<typeof scrolling>;
export type Measured = z.infer<typeof measured>;
