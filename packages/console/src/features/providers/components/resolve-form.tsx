import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { dialogActions, dialogForm } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import type { Product } from '../api/list-products.ts';

interface ResolveFormProps {
  /** At least one. */
  readonly products: readonly Product[];
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly onSubmit: (product: string) => void;
  readonly onCancel: () => void;
}

/** Selects a product, and explains what happens to its findings. */
export function ResolveForm({ products, isRunning, error, onSubmit, onCancel }: ResolveFormProps) {
  const [name, setName] = useState('');
  const product = products.find((each) => each.name === name) ?? products[0];
  if (product === undefined) return null;
  const { total, failing } = product.findings;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(product.name);
  };
  return (
    <form className={dialogForm} onSubmit={submit}>
      <SelectField
        label="Product"
        options={products.map((each) => ({
          value: each.name,
          label: `${each.name} (${pluralize(each.findings.total, 'open finding')})`,
        }))}
        value={product.name}
        onValueChange={setName}
      />
      {total === 0 ? (
        <p>{product.name} has no open findings in this account.</p>
      ) : (
        <>
          <p>
            This resolves{' '}
            <strong>
              {pluralize(total, 'open finding')} ({formatCount(failing)} failing)
            </strong>{' '}
            that {product.name} reported in this account, for example because you have replaced the product.
          </p>
          <p>
            A new scan by {product.name} reverses this: findings that it reports are reopened. Findings of
            other products are not changed.
          </p>
        </>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <div className={dialogActions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isRunning || total === 0}>
          Resolve findings
        </Button>
      </div>
    </form>
  );
}
