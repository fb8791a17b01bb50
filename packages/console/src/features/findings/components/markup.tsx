import Markdown, { type Components } from 'react-markdown';
import { ExternalLink } from './external-link.tsx';
import styles from './finding-details.module.css';
import { safeUrl } from './safe-url.ts';

/** Longer texts are shown as they are: reading them as Markdown could take long. */
const MAX_LENGTH = 50_000;

/** No headings beside those of the page, and no images, which would be asked for from somewhere else. */
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

/** A text of a scanner, which is Markdown (CommonMark). HTML in it is shown as text. */
export function Markup({ text }: { readonly text: string }) {
  if (text.length > MAX_LENGTH) return <p className={styles.words}>{text}</p>;
  return (
    <div className={styles.markup}>
      <Markdown components={COMPONENTS} urlTransform={(url) => safeUrl(url) ?? ''}>
        {text}
      </Markdown>
    </div>
  );
}
