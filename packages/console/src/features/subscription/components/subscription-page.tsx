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
import { BillableProviders } from './billable-providers.tsx';
import styles from './subscription-page.module.css';

export function SubscriptionPage() {
  const { data, error, refetch } = useQuery(subscriptionQuery(useApi()));
  return (
    <>
      <PageHeader title="Subscription">This tenant's subscription status and billable providers.</PageHeader>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <CardGrid>
          <StatusCard subscription={data} />
          <BillableProviders subscription={data} />
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

const STATUSES = {
  active: {
    Icon: CircleCheck,
    title: 'Active',
    description: 'You can upload files and view upload results.',
  },
  none: {
    Icon: CircleX,
    title: 'Inactive',
    description:
      'Uploads are rejected (402), and upload results are unavailable. You can still view existing findings, scans and providers.',
  },
} as const;

function StatusCard({ subscription: { id, attributes } }: { readonly subscription: Subscription }) {
  const { Icon, title, description } = STATUSES[attributes.state];
  const next = attributes.state === 'active' ? 'none' : 'active';
  return (
    <Card title="Status">
      <div className={styles.parts}>
        <p className={`${styles.state} ${styles[attributes.state]}`}>
          <Icon size={22} aria-hidden="true" /> {title}
        </p>
        <p>{description}</p>
        <h3>Tenant ID</h3>
        <CodeSample code={id} copyLabel="Copy tenant ID" />
        <h3>{attributes.state === 'active' ? 'Deactivate' : 'Activate'}</h3>
        <p className={styles.dim}>An operator can run this command on the server:</p>
        <CodeSample code={`sluice subscription set --tenant ${id} ${next}`} copyLabel="Copy command" />
        <p className={styles.dim}>
          To reduce the number of billable providers, delete <Link to="/providers">providers</Link> that you
          no longer need.
        </p>
      </div>
    </Card>
  );
}
