import { PageHeader } from '../../../components/page-header.tsx';

export function IngestionPage() {
  return <PageHeader title="Ingestion" />;
}
