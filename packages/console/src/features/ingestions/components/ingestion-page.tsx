import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { buttonClass } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ListChecks, Radar } from '../../../components/icons/lucide-icons.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { isRunning } from '../../../lib/api/get-ingestion.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import { ingestionQuery } from '../api/get-ingestion.ts';
import { ChangesCard } from './changes-card.tsx';
import { DownloadButton } from './download-button.tsx';
import { DryRunCards } from './dry-run-cards.tsx';
import { IngestionCard } from './ingestion-card.tsx';
import styles from './ingestion-page.module.css';
import { ProblemsSection } from './problems-section.tsx';
import { RetryButton } from './retry-button.tsx';

/** The progress, result, changes, errors and warnings of an upload. */
export function IngestionPage() {
  const { id } = useParams({ from: '/ingestions/$id' });
  const { data, error, refetch } = useQuery(ingestionQuery(useApi(), id));
  const ingestion = data?.ingestion;
  return (
    <>
      <PageHeader
        title={ingestion?.meta.file_name ?? 'Upload'}
        actions={ingestion !== undefined && <IngestionActions ingestion={ingestion} />}
      >
        <span className={styles.id}>
          Upload ID <code>{id}</code> <CopyButton compact text={id} label="Copy upload ID" />
        </span>
      </PageHeader>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {ingestion === undefined && error === null && (
        <Card>
          <Skeleton lines={7} />
        </Card>
      )}
      {ingestion !== undefined && (
        <>
          <IngestionCard ingestion={ingestion} />
          {!isRunning(ingestion) &&
            (ingestion.meta.dry_run ? (
              <DryRunCards id={id} />
            ) : (
              <ChangesCard title="Changes to findings" findings={ingestion.meta.findings} id={id} />
            ))}
          <ProblemsSection
            ingestionId={id}
            fileName={ingestion.meta.file_name ?? id}
            warnings={ingestion.meta.warnings}
            running={isRunning(ingestion)}
          />
        </>
      )}
    </>
  );
}

function IngestionActions({ ingestion: { id, attributes, meta } }: { readonly ingestion: Ingestion }) {
  return (
    <>
      {attributes.status === 'failed' && <RetryButton id={id} />}
      {!meta.dry_run && (
        <>
          <Link to="/findings" search={{ ingestion: id }} className={buttonClass()}>
            <ListChecks size={16} aria-hidden="true" /> View findings
          </Link>
          <Link to="/scans" search={{ ingestion: id }} className={buttonClass()}>
            <Radar size={16} aria-hidden="true" /> View scans
          </Link>
        </>
      )}
      <DownloadButton id={id} fileName={meta.file_name} />
    </>
  );
}
