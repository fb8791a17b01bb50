import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { parseList } from '../../../lib/search-values.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { PROBLEM_NOUNS, PROBLEM_SORTS, type ProblemType, problemsQuery } from '../api/list-problems.ts';
import { ExportButton } from './export-button.tsx';
import { NoProblems } from './no-problems.tsx';
import { ProblemPanel } from './problem-panel.tsx';
import { ProblemTypes } from './problem-types.tsx';
import styles from './problems-section.module.css';
import { ProblemsTable } from './problems-table.tsx';
import { TruncationNotice } from './truncation-notice.tsx';

interface ProblemsSectionProps {
  readonly ingestionId: string;
  readonly fileName: string;
  /** The number of warnings. */
  readonly warnings: number;
  readonly running: boolean;
}

const PAGE_SIZE = 50;

const DESCRIPTIONS: Readonly<Record<ProblemType, string>> = {
  errors: 'Records are numbered from 0 in file order.',
  warnings:
    'Warnings do not reject records. A missing attribute is listed once, with the number of records that lack it. Records are numbered from 0 in file order.',
};

/** The errors or warnings of a job. */
export function ProblemsSection({ ingestionId, fileName, warnings, running }: ProblemsSectionProps) {
  const heading = useId();
  const api = useApi();
  const urlState = useListUrlState({ sorts: PROBLEM_SORTS, defaultSort: 'byte_offset' });
  const { search, page, sort, setFilters } = urlState;
  const type: ProblemType = search.problems === 'warnings' && warnings > 0 ? 'warnings' : 'errors';
  const codes = parseList(search.code);
  const list = { ingestionId, type, codes, sort };
  const query = useQuery(problemsQuery(api, { ...list, page, pageSize: PAGE_SIZE }, running));
  const { data } = query;
  const options = Object.entries(data?.counts ?? {}).map(([value, count]) => ({
    value,
    label: <code>{value}</code>,
    count,
  }));
  const chips = codes.map((code) => ({
    key: code,
    label: 'Code',
    value: code,
    onRemove: () => setFilters({ code: codes.filter((each) => each !== code) }),
  }));
  // Keeps the type, which is not a filter.
  const clearFilters = () => setFilters({ code: undefined });
  return (
    <section aria-labelledby={heading}>
      <div className={styles.header}>
        <div>
          <h2 id={heading}>{capitalize(type)}</h2>
          <p className={styles.description}>{DESCRIPTIONS[type]}</p>
        </div>
        <Toolbar>
          <FilterMenu
            label="Code"
            options={options}
            values={codes}
            onChange={(code) => setFilters({ code })}
          />
          {/* Uses a key, so that an export ends when the type changes. */}
          <ExportButton key={type} list={list} fileName={fileName} count={data?.count ?? 0} />
        </Toolbar>
      </div>
      {warnings > 0 && (
        <TypeSelection
          ingestionId={ingestionId}
          warnings={warnings}
          running={running}
          selected={type}
          onSelect={(next) =>
            setFilters({
              problems: next === 'errors' ? undefined : next,
              code: undefined,
              problem: undefined,
            })
          }
        />
      )}
      <FilterChips chips={chips} onClear={clearFilters} />
      {data !== undefined && codes.length === 0 && (
        <TruncationNotice list={list} page={data} running={running} />
      )}
      <ListBody
        query={query}
        nouns={PROBLEM_NOUNS[type]}
        page={page}
        onPage={urlState.setPage}
        isFiltered={codes.length > 0}
        onClearFilters={clearFilters}
        empty={<NoProblems type={type} running={running} />}
      >
        {({ items }) => <ProblemsTable type={type} problems={items} sort={sort} onSort={urlState.setSort} />}
      </ListBody>
      <ProblemPanel ingestionId={ingestionId} type={type} problems={data?.items} selected={search.problem} />
    </section>
  );
}

interface TypeSelectionProps extends Omit<ProblemsSectionProps, 'fileName'> {
  readonly selected: ProblemType;
  readonly onSelect: (type: ProblemType) => void;
}

/** Counts the errors with a separate request, because jobs contain only the number of invalid records. */
function TypeSelection({ ingestionId, warnings, running, selected, onSelect }: TypeSelectionProps) {
  const list = { ingestionId, type: 'errors', codes: [], sort: 'byte_offset', page: 1, pageSize: 1 } as const;
  const { data } = useQuery(problemsQuery(useApi(), list, running));
  const errors = data && Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  return <ProblemTypes counts={{ errors, warnings }} selected={selected} onSelect={onSelect} />;
}
