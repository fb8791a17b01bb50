import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import type { Check, Finding } from '../../../lib/api/types.ts';
import { ExternalLink } from './external-link.tsx';
import styles from './finding-details.module.css';
import { safeUrl } from './safe-url.ts';

const Markup = lazy(async () => ({ default: (await import('./markup.tsx')).Markup }));

interface FindingCheckProps {
  readonly attributes: Finding['attributes'];
  /** `undefined` if the check has no metadata. */
  readonly check: Check | undefined;
}

/** The check that produced the finding, as described by the scanner. */
export function FindingCheck({ attributes, check }: FindingCheckProps) {
  const { description, risk, remediation, references = [] } = check?.attributes ?? {};
  return (
    <section aria-label="Check" className={styles.section}>
      <h3>Check</h3>
      <DescriptionList>
        <DescriptionItem label="ID">
          <Link
            to="/findings"
            search={{ check: attributes.check_id, provider_type: attributes.provider_type }}
            title="View all findings for this check"
          >
            <code>{attributes.check_id}</code>
          </Link>
        </DescriptionItem>
        {attributes.categories.length > 0 && (
          <DescriptionItem label="Categories">{attributes.categories.join(', ')}</DescriptionItem>
        )}
      </DescriptionList>
      <Text label="Description" text={description} />
      <Text label="Risk" text={risk} />
      <Text label="Remediation" text={remediation} />
      {references.length > 0 && (
        <>
          <h4 className={styles.label}>References</h4>
          <ul className={styles.references}>
            {references.map((reference) => (
              <li key={reference}>
                {safeUrl(reference) === undefined ? (
                  <code>{reference}</code>
                ) : (
                  <ExternalLink href={reference}>{reference}</ExternalLink>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Text({ label, text }: { readonly label: string; readonly text: string | null | undefined }) {
  if (text == null || text === '') return null;
  return (
    <>
      <h4 className={styles.label}>{label}</h4>
      <Suspense fallback={<p className={styles.text}>{text}</p>}>
        <Markup text={text} />
      </Suspense>
    </>
  );
}
