import { PageHeader } from '../../../components/page-header.tsx';

export function SubscriptionPage() {
  return <PageHeader title="Subscription" />;
}
