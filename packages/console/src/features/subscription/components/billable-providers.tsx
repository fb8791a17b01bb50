import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { Figure, Figures } from '../../../components/figure.tsx';
import { numeric, Table } from '../../../components/table.tsx';
import type { Subscription } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import styles from './subscription-page.module.css';

/** The billable providers, in total and by type. */
export function BillableProviders({ subscription }: { readonly subscription: Subscription }) {
  const { providers, providers_by_type } = subscription.attributes;
  return (
    <Card title="Billable providers" flush>
      <div className={styles.total}>
        <Figures>
          <Figure label="Total" count={providers}>
            Each account that has findings is counted once, no matter how many findings, scans or uploads it
            has. Deleted providers are not counted.
          </Figure>
        </Figures>
      </div>
      {providers_by_type.length === 0 ? (
        <p className={styles.total}>
          No providers yet. To upload findings, see <Link to="/scans">Scans</Link>.
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
                    {providerTypeLabel(type)}
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
