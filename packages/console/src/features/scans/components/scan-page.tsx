import { PageHeader } from '../../../components/page-header.tsx';

export function ScanPage() {
  return <PageHeader title="Scan" />;
}
