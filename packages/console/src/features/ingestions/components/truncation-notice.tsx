import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../../components/notice.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import {
  MISSING_ATTRIBUTE,
  type ProblemList,
  type ProblemPage,
  problemsQuery,
} from '../api/list-problems.ts';
import styles from './problems-section.module.css';

interface TruncationNoticeProps {
  readonly list: Omit<ProblemList, 'page' | 'pageSize'>;
  /** A page of all problems, without a filter. */
  readonly page: ProblemPage;
  readonly running: boolean;
}

/** Explains that the service stores only a job's first errors or warnings, but counts all of them. */
export function TruncationNotice({ list, page: { count, counts }, running }: TruncationNoticeProps) {
  const { type } = list;
  const limited = Object.keys(counts).filter((code) => code !== MISSING_ATTRIBUTE);
  const all = limited.reduce((sum, code) => sum + (counts[code] ?? 0), 0);
  const hasUnlimited = MISSING_ATTRIBUTE in counts;
  const limitedList = { ...list, codes: limited, page: 1, pageSize: 1 };
  const { data } = useQuery({
    ...problemsQuery(useApi(), limitedList, running),
    enabled: hasUnlimited && limited.length > 0,
  });
  const stored = hasUnlimited ? data?.count : count;
  if (stored === undefined || all <= stored) return null;
  return (
    <div className={styles.notice}>
      <Notice>
        Only the first {formatCount(stored)} of {formatCount(all)} {hasUnlimited && 'other '}
        {type} are stored and listed{hasUnlimited && ', in addition to those about missing attributes'}. The
        counts by code include all {type}.
      </Notice>
    </div>
  );
}
