import { Link } from '@tanstack/react-router';
import { AccountName } from '../../../components/account-name.tsx';
import { JobStatusBadge } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { LabelItems } from '../../../components/label-items.tsx';
import { formatDuration, formatTime } from '../../../lib/format-time.ts';
import type { ListedScan } from '../api/listed-scan.ts';

export function ScanDetailsCard({ scan, provider, ingestion }: ListedScan) {
  const { uid, started_at, ended_at, inserted_at } = scan.attributes;
  return (
    <Card title="Details">
      <DescriptionList>
        {provider !== undefined && (
          <DescriptionItem label="Account">
            <AccountName
              {...provider.attributes}
              link={(displayName) => (
                <Link to="/scans" search={{ provider: provider.id }}>
                  {displayName}
                </Link>
              )}
            />
          </DescriptionItem>
        )}
        <DescriptionItem label="Scan ID">
          {uid === null ? 'Not specified' : <code>{uid}</code>}
        </DescriptionItem>
        <DescriptionItem label="File">
          {ingestion === undefined ? (
            'Requires the manage_ingestions permission and an active subscription'
          ) : (
            <Link to="/ingestions/$id" params={{ id: ingestion.id }}>
              {ingestion.meta.file_name ?? 'Unnamed file'}
            </Link>
          )}
        </DescriptionItem>
        {ingestion !== undefined && (
          <DescriptionItem label="Upload status">
            <JobStatusBadge status={ingestion.attributes.status} />
          </DescriptionItem>
        )}
        <DescriptionItem label="Uploaded">
          <time dateTime={inserted_at}>{formatTime(inserted_at)}</time>
        </DescriptionItem>
        <DescriptionItem label="First record">
          <time dateTime={started_at}>{formatTime(started_at)}</time>
        </DescriptionItem>
        <DescriptionItem label="Last record">
          <time dateTime={ended_at}>{formatTime(ended_at)}</time>
        </DescriptionItem>
        <DescriptionItem label="Duration">
          {started_at === ended_at
            ? 'All records have the same timestamp'
            : formatDuration(started_at, ended_at)}
        </DescriptionItem>
        <LabelItems labels={scan.meta.labels} noun="scans" />
      </DescriptionList>
    </Card>
  );
}
