import type { Service } from '../../packages/server/test/support/service.ts';
import { readPeakMiB, resetPeak } from '../process/usage.ts';
import { pidOf } from '../service.ts';

/** A download of all findings. */
export interface Export {
  readonly seconds: number;
  readonly bytes: number;
  /** Peak resident memory of the service process during the download, in MB. */
  readonly peakMB: number;
}

/** Downloads all findings as CSV. */
export async function measureExport(service: Service): Promise<Export> {
  const pid = pidOf(service);
  await resetPeak(pid);
  const start = performance.now();
  const response = await fetch(`${service.url}/api/v1/findings/export?format=csv`, {
    headers: { authorization: `Api-Key ${service.key}` },
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - start) / 1000;
  if (response.status !== 200) throw new Error(`The export returned ${response.status}`);
  return { seconds, bytes, peakMB: ((await readPeakMiB(pid)) * 2 ** 20) / 1e6 };
}
