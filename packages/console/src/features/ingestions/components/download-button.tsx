import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Download } from '../../../components/icons/lucide-icons.ts';
import { useApi } from '../../../lib/api/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { getFile } from '../api/get-file.ts';

/** The service decompresses files for download. */
const COMPRESSION_EXTENSION = /\.(gz|zst|zstd)$/i;

interface DownloadButtonProps {
  readonly id: string;
  readonly fileName: string | null;
}

/** Downloads a job's uploaded file. A link would not work, because the API key is sent in a header. */
export function DownloadButton({ id, fileName }: DownloadButtonProps) {
  const api = useApi();
  const name = fileName?.replace(COMPRESSION_EXTENSION, '') ?? `${id}.ocsf.json`;
  const download = useMutation({
    mutationFn: () => getFile(api, id),
    onSuccess: (file) => saveFile(name, file),
  });
  return (
    <>
      <Button
        icon={<Download size={16} aria-hidden="true" />}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        {download.isPending ? 'Downloading…' : 'Download file'}
      </Button>
      <Dialog open={download.isError} title="Can't download the file" onClose={() => download.reset()}>
        <ErrorNotice error={download.error} />
        <div className={dialogActions}>
          <Button onClick={() => download.mutate()}>Try again</Button>
          <Button variant="primary" onClick={() => download.reset()}>
            Close
          </Button>
        </div>
      </Dialog>
    </>
  );
}
