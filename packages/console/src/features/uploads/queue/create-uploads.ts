import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../../../lib/api/api.ts';
import { getIngestion } from '../../../lib/api/get-ingestion.ts';
import { limitsQuery } from '../../../lib/api/limits.ts';
import type { Session } from '../../../lib/session.ts';
import { sendFile } from '../api/send-file.ts';
import { checkFile } from './check-file.ts';
import { JobWatch } from './job-watch.ts';
import { throttle } from './throttle.ts';
import { UploadQueue } from './upload-queue.ts';

/** The first elements of the query keys whose data changes after an upload. */
const AFFECTED_KEYS = ['ingestions', 'findings', 'scans', 'providers', 'checks'];
const REFRESH_MS = 2000;

interface UploadsOptions {
  readonly api: Api;
  readonly baseUrl: string;
  readonly session: Session;
  readonly queryClient: QueryClient;
}

/** Creates this tab's upload queue. Jobs are polled until they end, and affected queries are refetched. */
export function createUploads({ api, baseUrl, session, queryClient }: UploadsOptions) {
  const refresh = throttle(REFRESH_MS, () => {
    for (const key of AFFECTED_KEYS) void queryClient.invalidateQueries({ queryKey: [key] });
  });
  const queue = new UploadQueue({
    check: async (file) => {
      // The queue handles retries.
      const limits = await queryClient.fetchQuery({ ...limitsQuery(api), retry: false });
      return await checkFile(file, limits.upload_max_bytes);
    },
    send: (attempt) => sendFile({ baseUrl, session, ...attempt }),
    onAccepted: ({ id }) => {
      watch.add(id);
      refresh();
    },
  });
  const watch = new JobWatch({
    get: (id, signal) => getIngestion(api, id, signal),
    onChange: (ingestion) => {
      queue.updateJob(ingestion.id, { ingestion });
      if (ingestion.attributes.completed_at !== null) refresh();
    },
    onLost: (id, error) => queue.updateJob(id, { error }),
  });
  const end = () => {
    watch.stop();
    queue.clear();
  };
  return { queue, end };
}
