import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { summaryQuery } from '../api/get-summary.ts';
import { ChangesCard } from './changes-card.tsx';
import { FailingOverTime } from './failing-over-time.tsx';
import { Figures } from './figures.tsx';
import { NothingYet } from './nothing-yet.tsx';
import styles from './overview-page.module.css';
import { WorstAccounts } from './worst-accounts.tsx';
import { WorstChecks } from './worst-checks.tsx';

/** Where things stand, and what has changed. */
export function OverviewPage() {
  const summary = useQuery(summaryQuery(useApi()));
  const isEmpty = summary.data?.count === 0;
  return (
    <>
      <PageHeader title="Overview">Where things stand now, and what the last scans have changed.</PageHeader>
      {summary.isError && <ErrorNotice error={summary.error} retry={() => void summary.refetch()} />}
      {isEmpty ? (
        <NothingYet />
      ) : (
        <div className={styles.page}>
          <Figures summary={summary.data} />
          <FailingOverTime />
          <div className={styles.pair}>
            <Card title="Accounts with most failing findings">
              <WorstAccounts summary={summary.data} />
            </Card>
            <Card title="Checks that fail most">
              <WorstChecks />
            </Card>
          </div>
          <div className={styles.pair}>
            <ChangesCard change="newly-failing" />
            <ChangesCard change="changed" />
          </div>
        </div>
      )}
    </>
  );
}
