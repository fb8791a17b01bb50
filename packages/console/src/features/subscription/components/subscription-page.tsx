import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { CardGrid } from '../../../components/card-grid.tsx';
import { CodeSample } from '../../../components/code-sample.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { CircleCheck, CircleX } from '../../../components/icons/lucide-icons.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { subscriptionQuery } from '../../../lib/api/subscription.ts';
import type { Subscription } from '../../../lib/api/types.ts';
import { CountedProviders } from './counted-providers.tsx';
import styles from './subscription-page.module.css';

export function SubscriptionPage() {
  const { data, error, refetch } = useQuery(subscriptionQuery(useApi()));
  return (
    <>
      <PageHeader title="Subscription">What this tenant may do, and what it is billed for.</PageHeader>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <CardGrid>
          <StateCard subscription={data} />
          <CountedProviders subscription={data} />
        </CardGrid>
      )}
      {data === undefined && error === null && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </>
  );
}

const STATES = {
  active: { Icon: CircleCheck, title: 'Active', words: 'Files can be uploaded, and their jobs be read.' },
  none: {
    Icon: CircleX,
    title: 'None',
    words:
      'Uploads are refused (402), and jobs cannot be read. Findings, scans and providers can still be read, and nothing of them is lost.',
  },
} as const;

function StateCard({ subscription: { id, attributes } }: { readonly subscription: Subscription }) {
  const { Icon, title, words } = STATES[attributes.state];
  const next = attributes.state === 'active' ? 'none' : 'active';
  return (
    <Card title="State">
      <div className={styles.parts}>
        <p className={`${styles.state} ${styles[attributes.state]}`}>
          <Icon size={22} aria-hidden="true" /> {title}
        </p>
        <p>{words}</p>
        <h3>Tenant</h3>
        <CodeSample code={id} copyLabel="Copy the tenant id" />
        <h3>{attributes.state === 'active' ? 'To end it' : 'To make it active'}</h3>
        <p className={styles.dim}>The operator of the service changes it, where the service runs:</p>
        <CodeSample code={`sluice subscription set --tenant ${id} ${next}`} copyLabel="Copy the command" />
        <p className={styles.dim}>
          <Link to="/providers">Providers</Link> that are not needed any more can be deleted: they are not
          counted from then on.
        </p>
      </div>
    </Card>
  );
}
