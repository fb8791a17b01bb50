import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { summaryQuery } from '../api/get-summary.ts';
import { EmptyOverview } from './empty-overview.tsx';
import { FailingOverTime } from './failing-over-time.tsx';
import { Figures } from './figures.tsx';
import { LatestScansCard } from './latest-scans-card.tsx';
import { NewFailingCard } from './new-failing-card.tsx';
import styles from './overview-page.module.css';
import { TopFailingAccounts } from './top-failing-accounts.tsx';
import { TopFailingChecks } from './top-failing-checks.tsx';

/** The current state of all findings and the latest changes. */
export function OverviewPage() {
  const summary = useQuery(summaryQuery(useApi()));
  const isEmpty = summary.data?.count === 0;
  return (
    <>
      <PageHeader title="Overview">Current findings and changes in the latest scans.</PageHeader>
      {summary.isError && <ErrorNotice error={summary.error} retry={() => void summary.refetch()} />}
      {isEmpty ? (
        <EmptyOverview />
      ) : (
        <div className={styles.page}>
          <Figures summary={summary.data} />
          <FailingOverTime />
          <div className={styles.pair}>
            <Card title="Top failing accounts">
              <TopFailingAccounts summary={summary.data} />
            </Card>
            <Card title="Top failing checks">
              <TopFailingChecks />
            </Card>
          </div>
          <div className={styles.pair}>
            <NewFailingCard />
            <LatestScansCard />
          </div>
        </div>
      )}
    </>
  );
}
