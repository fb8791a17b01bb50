import { PageHeader } from '../../../components/page-header.tsx';

export function FindingsPage() {
  return <PageHeader title="Findings" />;
}
