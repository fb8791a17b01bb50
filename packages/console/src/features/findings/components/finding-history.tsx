import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { Finding } from '../../../lib/api/types.ts';
import { historyQuery } from '../api/list-history.ts';
import { describeChange } from './describe-change.ts';
import styles from './finding-details.module.css';

/** The latest record of a finding, and its changes, newest first. */
export function FindingHistory({
  finding: { id, attributes, relationships },
}: {
  readonly finding: Finding;
}) {
  const query = useInfiniteQuery(historyQuery(useApi(), id));
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  const events = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section aria-label="History" className={styles.section}>
      <h3>History</h3>
      <DescriptionList>
        <DescriptionItem label="Last seen">
          <Source
            time={attributes.last_seen_at}
            scan={relationships.scan}
            ingestion={relationships.ingestion}
          />
        </DescriptionItem>
      </DescriptionList>
      {data === undefined && error === null && <Skeleton lines={3} label="Loading history…" />}
      {events.length > 0 && (
        <ol aria-label="Changes" className={styles.timeline}>
          {events.map((event) => (
            <li key={event.id}>
              {describeChange(event)}
              <div className={styles.source}>
                <Source
                  time={event.attributes.occurred_at}
                  scan={event.relationships.scan}
                  ingestion={event.relationships.ingestion}
                />
              </div>
            </li>
          ))}
        </ol>
      )}
      {error !== null && <ErrorNotice error={error} retry={() => void query.refetch()} />}
      {hasNextPage && (
        <div className={styles.actions}>
          <Button disabled={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </section>
  );
}

type Related = { readonly data: { readonly id: string } | null };

interface SourceProps {
  readonly time: string;
  readonly scan: Related;
  readonly ingestion: Related;
}

/** A time, with links to the scan and the upload if they are known. */
function Source({ time, scan, ingestion }: SourceProps) {
  return (
    <>
      <Time time={time} />
      {scan.data !== null && (
        <>
          {' · '}
          <Link to="/scans/$id" params={{ id: scan.data.id }}>
            View scan
          </Link>
        </>
      )}
      {ingestion.data !== null && (
        <>
          {' · '}
          <Link to="/ingestions/$id" params={{ id: ingestion.data.id }}>
            View upload
          </Link>
        </>
      )}
    </>
  );
}
