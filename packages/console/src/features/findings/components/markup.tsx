import Markdown, { type Components } from 'react-markdown';
import { ExternalLink } from './external-link.tsx';
import styles from './finding-details.module.css';
import { safeUrl } from './safe-url.ts';

/** The maximum length of Markdown. Longer text is shown as plain text, because parsing it can be slow. */
const MAX_LENGTH = 50_000;

/** Replaces headings, which would disrupt the page outline, and images, which would be loaded from other sites. */
const COMPONENTS: Components = {
  a: ({ href = '', children }) =>
    href === '' ? <span>{children}</span> : <ExternalLink href={href}>{children}</ExternalLink>,
  img: ({ alt }) => <span>{alt}</span>,
  h1: ({ children }) => <strong>{children}</strong>,
  h2: ({ children }) => <strong>{children}</strong>,
  h3: ({ children }) => <strong>{children}</strong>,
  h4: ({ children }) => <strong>{children}</strong>,
  h5: ({ children }) => <strong>{children}</strong>,
  h6: ({ children }) => <strong>{children}</strong>,
};

/** Renders Markdown from a scanner (CommonMark). HTML is shown as text. */
export function Markup({ text }: { readonly text: string }) {
  if (text.length > MAX_LENGTH) return <p className={styles.text}>{text}</p>;
  return (
    <div className={styles.markup}>
      <Markdown components={COMPONENTS} urlTransform={(url) => safeUrl(url) ?? ''}>
        {text}
      </Markdown>
    </div>
  );
}
