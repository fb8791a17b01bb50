import { z } from 'zod';

/** Loading the overview with an empty cache. */
const firstLoad = z.object({
  /** Size over the wire of everything that the page requested until the network was idle. */
  scriptBytes: z.number(),
  bytes: z.number(),
  /** First Contentful Paint, from the start of the navigation. */
  paintMs: z.number(),
  /** Until the page showed the finding counts. */
  figuresMs: z.number(),
  /** Cumulative Layout Shift (Layout Instability API). */
  layoutShift: z.number(),
});

/** From the click on "Findings" until rows with text are painted: with none of that page's code loaded, and a second time. */
const opening = z.object({ firstMs: z.number(), secondMs: z.number() });

const scrolling = z.object({
  /** Row count of the table. */
  rows: z.number(),
  /** From the Long Tasks API: 0 if no task took more than 50 ms. */
  longestTaskMs: z.number(),
  framesPerSecond: z.number(),
  /** From a jump to the middle until the rows there have their text. */
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
