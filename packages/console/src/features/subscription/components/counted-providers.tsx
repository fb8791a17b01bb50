import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { Figure, Figures } from '../../../components/figure.tsx';
import { numeric, Table } from '../../../components/table.tsx';
import type { Subscription } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import styles from './subscription-page.module.css';

/** What the subscription counts. */
export function CountedProviders({ subscription }: { readonly subscription: Subscription }) {
  const { providers, providers_by_type } = subscription.attributes;
  return (
    <Card title="Providers counted" flush>
      <div className={styles.counted}>
        <Figures>
          <Figure label="Billable providers" count={providers}>
            One per account that findings have come of. Deleted ones do not count; how many findings, scans or
            uploads an account has does not matter.
          </Figure>
        </Figures>
      </div>
      {providers_by_type.length === 0 ? (
        <p className={styles.counted}>
          There are none yet. <Link to="/scans">Scans</Link> says how to push a first file.
        </p>
      ) : (
        <Table label="Providers by type">
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col" className={numeric}>
                Providers
              </th>
            </tr>
          </thead>
          <tbody>
            {providers_by_type.map(({ type, providers }) => (
              <tr key={type}>
                <th scope="row">
                  <Link to="/providers" search={{ provider_type: type }}>
                    {type}
                  </Link>
                </th>
                <td className={numeric}>{formatCount(providers)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
