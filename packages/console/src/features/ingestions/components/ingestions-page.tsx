import { PageHeader } from '../../../components/page-header.tsx';

export function IngestionsPage() {
  return <PageHeader title="Ingestions" />;
}
