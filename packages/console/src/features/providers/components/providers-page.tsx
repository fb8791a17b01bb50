import { PageHeader } from '../../../components/page-header.tsx';

export function ProvidersPage() {
  return <PageHeader title="Providers" />;
}
