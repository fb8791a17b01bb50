import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { Figure, Figures } from '../../../components/figure.tsx';
import type { Scan } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { CHANGES, changedFindingsSearch } from '../../../lib/finding-changes.ts';
import styles from './scan-figures.module.css';

/** How a scan changed findings. Renders nothing if an earlier release accepted the upload. */
export function ScanChanges({ scan: { id, attributes } }: { readonly scan: Scan }) {
  const counts = CHANGES.flatMap((change) => {
    const count = attributes[change];
    return count === null ? [] : { change, count };
  });
  if (counts.length === 0) return null;
  return (
    <Card title="Changes to findings">
      <Figures>
        {counts.map(({ change, count }) => (
          <Figure key={change} label={capitalize(change)} count={count}>
            {count === 0 ? undefined : (
              <Link to="/findings" search={changedFindingsSearch(change, id)}>
                View {change} findings
              </Link>
            )}
          </Figure>
        ))}
      </Figures>
      <p className={styles.note}>
        Each finding in this scan is compared with its state before the scan. Resolved findings are absent
        from a complete upload. The links also show findings that a later scan has changed.
      </p>
    </Card>
  );
}
