import type { ReactNode } from 'react';
import { ExternalLink as Icon } from '../../../components/icons/lucide-icons.ts';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';

/** A link to an untrusted site. It opens in a new tab, without a referrer. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children} <Icon size={12} aria-hidden="true" />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </a>
  );
}
