import type { FuzzSummary } from '../../../ocsf/test/fuzz/fuzzer.ts';
import { createClient } from '../support/client.ts';
import { tracesOf } from '../support/refusal.ts';
import { startService } from '../support/service.ts';
import { type RandomUpload, randomUpload } from './random-upload.ts';
import { tryUpload, type UploadTarget } from './try-upload.ts';

const MAX_FAILURES = 5;
/** Matches log lines that report an error of the service. */
const ERROR_LEVEL = /"level":"(?:error|fatal)"/;

/**
 * Sends random uploads to a real service one after the other, so that leftovers can be attributed to a specific upload.
 */
export async function uploadRun({
  seed,
  cases,
}: {
  readonly seed: number;
  readonly cases: number;
}): Promise<FuzzSummary> {
  const service = await startService({ SLUICE_WORKERS: '1' });
  const types = new Map<string, number>();
  const disagreements: string[] = [];
  const started = performance.now();
  let bytes = 0;
  let completed = 0;
  const target: UploadTarget = {
    url: service.url,
    key: service.key,
    client: createClient(service.url, service.key),
    storedData: () => tracesOf(service),
  };
  const attempt = async (upload: RandomUpload): Promise<string | undefined> => {
    const printed = service.output.stderr.length + service.output.stdout.length;
    try {
      const deviation = await tryUpload(target, upload);
      const logged = errorsIn(`${service.output.stdout}${service.output.stderr}`.slice(printed));
      return deviation ?? (logged === undefined ? undefined : `the service logged ${logged}`);
    } catch (error) {
      return `threw: ${error instanceof Error ? error.stack : String(error)}`;
    }
  };
  try {
    for (; completed < cases && disagreements.length < MAX_FAILURES; completed++) {
      const upload = randomUpload(seed + completed);
      types.set(upload.type, (types.get(upload.type) ?? 0) + 1);
      bytes += upload.body.length;
      const deviation = await attempt(upload);
      if (deviation !== undefined)
        disagreements.push(await describeFailure(upload, seed + completed, deviation, attempt));
    }
  } finally {
    await service.remove();
  }
  return {
    name: 'uploads',
    cases: completed,
    bytes,
    types,
    disagreements,
    seconds: (performance.now() - started) / 1000,
  };
}

function errorsIn(output: string): string | undefined {
  return output.split('\n').find((line) => ERROR_LEVEL.test(line));
}

/** Maximum attempts to reduce a failing body, because each attempt is a complete upload. */
const MAX_REDUCTIONS = 60;

/**
 * Removes ever smaller pieces of the body as long as the case still fails. Only for cases whose file is not compared.
 */
async function describeFailure(
  upload: RandomUpload,
  seed: number,
  deviation: string,
  attempt: (upload: RandomUpload) => Promise<string | undefined>,
): Promise<string> {
  let smallest = upload;
  let attempts = 0;
  for (let size = upload.body.length >> 1; size >= 1 && upload.file === undefined; size >>= 1) {
    for (let at = 0; at < smallest.body.length && attempts < MAX_REDUCTIONS; attempts++) {
      const body = Buffer.concat([smallest.body.subarray(0, at), smallest.body.subarray(at + size)]);
      if ((await attempt({ ...smallest, body })) === undefined) at += size;
      else smallest = { ...smallest, body };
    }
  }
  return [
    `uploads, seed ${seed} (${upload.type}, ${upload.coding}, ${upload.body.length} bytes): ${deviation}`,
    `  Content-Type: ${smallest.contentType}`,
    `  smallest failing body: ${JSON.stringify(smallest.body.toString('latin1').slice(0, 4_000))} (latin1)`,
    `  rerun: npm run test:fuzz -- --only uploads --seed ${seed} --uploads 1`,
  ].join('\n');
}
