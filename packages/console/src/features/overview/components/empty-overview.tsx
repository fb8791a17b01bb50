import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FileUp } from '../../../components/icons/lucide-icons.ts';
import { UploadButton } from '../../../components/upload-button.tsx';

/** The overview of a tenant without findings. */
export function EmptyOverview() {
  return (
    <Card>
      <EmptyState icon={<FileUp />} title="No findings yet">
        <p>
          Drop an <code>.ocsf.json</code> file anywhere on this page, or push one with a scanner. Findings
          appear here after the file is processed.
        </p>
        <UploadButton />
        <Link to="/scans">Push from a scanner</Link>
      </EmptyState>
    </Card>
  );
}
