import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FileSpreadsheet } from '../../../components/icons/lucide-icons.ts';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { exportErrors } from '../api/export-errors.ts';
import type { ErrorList } from '../api/list-errors.ts';

interface ExportButtonProps {
  readonly list: Omit<ErrorList, 'page' | 'pageSize'>;
  /** Of the upload. */
  readonly fileName: string;
  /** How many errors there are under the filter. */
  readonly count: number;
}

/** Saves all errors under the filter, not only those of the page. */
export function ExportButton({ list, fileName, count }: ExportButtonProps) {
  const api = useApi();
  const [read, setRead] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: () => {
      setRead(0);
      leaving.current = new AbortController();
      return exportErrors(api, list, setRead, leaving.current.signal);
    },
    onSuccess: (file) => saveFile(`${fileName}.errors.csv`, file),
  });
  return (
    <>
      <Button
        icon={<FileSpreadsheet size={16} aria-hidden="true" />}
        disabled={exporting.isPending || count === 0}
        onClick={() => exporting.mutate()}
      >
        {exporting.isPending
          ? `Reading ${formatCount(read)} of ${formatCount(count)}`
          : 'Download errors as CSV'}
      </Button>
      <Dialog
        open={exporting.isError}
        title="The errors cannot be downloaded"
        onClose={() => exporting.reset()}
      >
        <ErrorNotice error={exporting.error} />
        <div className={dialogActions}>
          <Button onClick={() => exporting.mutate()}>Try again</Button>
          <Button variant="primary" onClick={() => exporting.reset()}>
            Close
          </Button>
        </div>
      </Dialog>
    </>
  );
}
