import type { ReactNode } from 'react';
import { ExternalLink as Icon } from '../../../components/icons/lucide-icons.ts';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';

/** A link that somebody else has written: it leaves the console, and tells the other side nothing of it. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children} <Icon size={12} aria-hidden="true" />
      <VisuallyHidden> (opens a new tab)</VisuallyHidden>
    </a>
  );
}
