import type { ReactNode } from 'react';

interface ScrollableProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A part of a page that moves by itself: also by keyboard (WCAG 2.1.1). */
export function Scrollable({ label, className, children }: ScrollableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus no key would move it
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
