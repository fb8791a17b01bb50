import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FileUp } from '../../../components/icons/lucide-icons.ts';
import { UploadButton } from '../../../components/upload-button.tsx';

/** The overview of a tenant into which nothing came yet. */
export function EmptyOverview() {
  return (
    <Card>
      <EmptyState icon={<FileUp />} title="No findings yet">
        <p>
          Drop an <code>.ocsf.json</code> file anywhere on this page, or let a scanner push one. What it holds
          is shown here as soon as it is processed.
        </p>
        <UploadButton />
        <Link to="/scans">How a scanner pushes</Link>
      </EmptyState>
    </Card>
  );
}
