import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { Figure, Figures } from '../../../components/figure.tsx';
import type { Scan } from '../../../lib/api/types.ts';
import styles from './scan-figures.module.css';

/** The counts of a scan, each with a link to its findings. */
export function ScanFigures({ scan: { id, attributes } }: { readonly scan: Scan }) {
  const { records, failed, muted } = attributes;
  return (
    <Card>
      <Figures>
        <Figure label="Records" count={records}>
          <Link to="/findings" search={{ scan: id }}>
            View all findings
          </Link>
        </Figure>
        <Figure label="Failing (not muted)" count={failed}>
          <Link to="/findings" search={{ scan: id, status: 'FAIL', muted: 'false' }}>
            View failing findings
          </Link>
        </Figure>
        <Figure label="Muted" count={muted}>
          <Link to="/findings" search={{ scan: id, muted: 'true' }}>
            View muted findings
          </Link>
        </Figure>
      </Figures>
      <p className={styles.note}>
        The counts are from the time of the upload. The links show current findings, excluding findings that a
        later scan reported again.
      </p>
    </Card>
  );
}
