import { z } from 'zod';

/** Of the overview, with an empty cache. */
const firstLoad = z.object({
  /** As they came over the wire, with all that the page asked for until nothing more came. */
  scriptBytes: z.number(),
  bytes: z.number(),
  /** First Contentful Paint, from the start of the navigation. */
  paintMs: z.number(),
  /** Until the counts of findings stood there. */
  figuresMs: z.number(),
  /** Cumulative Layout Shift (Layout Instability API). */
  layoutShift: z.number(),
});

/** From the click on "Findings" until rows with text are painted: with nothing of that page loaded, and once more. */
const opening = z.object({ firstMs: z.number(), againMs: z.number() });

const scrolling = z.object({
  /** That the table spans. */
  rows: z.number(),
  /** Long Tasks API: 0 where no task took more than 50 ms. */
  longestTaskMs: z.number(),
  framesPerSecond: z.number(),
  /** From a jump to the middle until the rows there have their text. */
  jumpMs: z.number(),
});

/** What `measure.ts` prints: an element for each round. */
export const measured = z.object({
  firstLoads: z.array(firstLoad),
  openings: z.array(opening),
  scrollings: z.array(scrolling),
});

export type FirstLoad = z.infer<typeof firstLoad>;
export type Opening = z.infer<typeof opening>;
export type Scrolling = z.infer<typeof scrolling>;
export type Measured = z.infer<typeof measured>;
