import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Table } from '../../../components/table.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { pluralize } from '../../../lib/format-number.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import { dryRunQuery } from '../api/get-dry-run.ts';
import { ChangesCard } from './changes-card.tsx';

/** What the upload of a dry run that has ended would do: new accounts and changes to findings. */
export function DryRunCards({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(dryRunQuery(useApi(), id));
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Card>
        <Skeleton lines={4} />
      </Card>
    );
  const { findings, new_providers } = data;
  return (
    <>
      <ChangesCard title="What the upload would change" findings={findings} />
      {new_providers.total > 0 && (
        <Card title={`${pluralize(new_providers.total, 'new account')} to bill`} flush>
          <Table label="New accounts">
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">Provider</th>
                <th scope="col">Name</th>
              </tr>
            </thead>
            <tbody>
              {new_providers.listed.map(({ type, account, name }) => (
                <tr key={`${type} ${account}`}>
                  <th scope="row">{account}</th>
                  <td>{providerTypeLabel(type)}</td>
                  <td>{name ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Card>
      )}
    </>
  );
}
