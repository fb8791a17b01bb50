import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { pluralize } from '../../../lib/format-number.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import { productsQuery } from '../api/list-products.ts';
import { type Resolution, resolveProduct } from '../api/resolve-product.ts';
import { ResolveForm } from './resolve-form.tsx';

/** The refetch interval while findings are being resolved, in milliseconds. */
const POLL_MS = 1000;

interface ResolveDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

/** Resolves the open findings of a product, and shows the progress. */
export function ResolveDialog({ provider: { id, attributes }, onClose }: ResolveDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const resolve = useMutation({ mutationFn: (product: string) => resolveProduct(api, id, product) });
  const resolution = resolve.data;
  const products = useQuery({
    ...productsQuery(api, id),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ name, findings }) => name === resolution?.product && findings.total > 0) && POLL_MS,
  });
  const close = () => {
    // Every list and count contains only open findings by default.
    if (resolution !== undefined) void queryClient.invalidateQueries();
    onClose();
  };
  const { type, account } = attributes;
  return (
    <Dialog open title={`Resolve findings in ${providerTypeLabel(type)} ${account}`} onClose={close}>
      {products.error !== null && (
        <ErrorNotice error={products.error} retry={() => void products.refetch()} />
      )}
      {products.data === undefined && products.error === null && <Skeleton lines={4} />}
      {products.data !== undefined && products.data.length > 0 && resolution === undefined && (
        <ResolveForm
          products={products.data}
          isRunning={resolve.isPending}
          error={resolve.error}
          onSubmit={resolve.mutate}
          onCancel={close}
        />
      )}
      {products.data?.length === 0 && <p>No product has reported findings in this account.</p>}
      {resolution !== undefined && (
        <Progress
          resolution={resolution}
          remaining={products.data?.find(({ name }) => name === resolution.product)?.findings.total ?? 0}
        />
      )}
      {(products.data?.length === 0 || resolution !== undefined) && (
        <div className={dialogActions}>
          <Button onClick={close}>Close</Button>
        </div>
      )}
    </Dialog>
  );
}

interface ProgressProps {
  readonly resolution: Resolution;
  /** The number of open findings of the product. */
  readonly remaining: number;
}

function Progress({ resolution: { product, findings }, remaining }: ProgressProps) {
  const count = pluralize(findings, 'finding');
  return (
    <p role="status">
      {remaining === 0
        ? `${count} of ${product} resolved.`
        : `Resolving ${count} of ${product}. You can close this dialog: they are resolved in the background.`}
    </p>
  );
}
