import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { Figure, Figures } from '../../../components/figure.tsx';
import type { Scan } from '../../../lib/api/types.ts';
import styles from './scan-figures.module.css';

/** What the scan brought, each with the findings behind it. */
export function ScanFigures({ scan: { id, attributes } }: { readonly scan: Scan }) {
  const { records, failed, muted } = attributes;
  return (
    <Card>
      <Figures>
        <Figure label="Records" count={records}>
          <Link to="/findings" search={{ scan: id }}>
            All findings of the scan
          </Link>
        </Figure>
        <Figure label="Failing, not muted" count={failed}>
          <Link to="/findings" search={{ scan: id, status: 'FAIL', muted: 'false' }}>
            Failing findings
          </Link>
        </Figure>
        <Figure label="Muted" count={muted}>
          <Link to="/findings" search={{ scan: id, muted: 'true' }}>
            Muted findings
          </Link>
        </Figure>
        <Figure label="New" count={attributes.new}>
          <Link to="/findings" search={{ scan: id, delta: 'new' }}>
            New findings
          </Link>
        </Figure>
        <Figure label="Changed status" count={attributes.changed}>
          <Link to="/findings" search={{ scan: id, delta: 'changed' }}>
            Changed findings
          </Link>
        </Figure>
      </Figures>
      <p className={styles.note}>
        These numbers are of the records when they came in. The findings show the state of now: what a later
        scan brought again belongs to that one.
      </p>
    </Card>
  );
}
