import type { ReactNode } from 'react';

interface ScrollableProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A region that scrolls independently of the page and can be scrolled with the keyboard (WCAG 2.1.1). */
export function Scrollable({ label, className, children }: ScrollableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1)
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
