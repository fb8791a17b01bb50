import { PageHeader } from '../../../components/page-header.tsx';

export function ScansPage() {
  return <PageHeader title="Scans" />;
}
