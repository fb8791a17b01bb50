import { rm } from 'node:fs/promises';
import { createDeployment, createTenantKey } from '../../packages/server/test/support/deployment.ts';
import { createSandbox } from '../../packages/server/test/support/sandbox.ts';
import { type BenchFile, generateFile } from '../generate-file.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';
import { compressFile } from '../upload/compress-file.ts';
import { describeUploads } from '../upload/describe-uploads.ts';
import { type Receiver, type Uploads, uploadAndWrite } from '../upload/upload-and-write.ts';

/** Compares the time from the first byte sent to the 202 response, without workers, with writing the same bytes to disk. */
export const UPLOAD: Suite = {
  name: 'upload',
  run: async (context) => {
    const sandbox = createSandbox();
    try {
      const host = await sandbox.startService({ SLUICE_WORKERS: '1' });
      const { startApi } = await createDeployment(sandbox, host);
      let key: string | undefined;
      const startReceiver = async () => {
        const api = await startApi(NO_SIZE_LIMITS);
        key ??= await createTenantKey(api);
        return { ...api, key };
      };
      const results: Result[] = [];
      for (const records of context.records) {
        const file = await generateFile(context.folder, records);
        results.push(describeUploads(file, await uploadsOf(file, startReceiver, context)));
        await rm(file.path);
      }
      return results;
    } finally {
      await sandbox.clear();
    }
  },
};

/** Measures each compression format with a separate service process, because peak memory is measured per process. */
async function uploadsOf(
  file: BenchFile,
  startReceiver: () => Promise<Receiver>,
  { folder, rounds }: BenchContext,
): Promise<Uploads[]> {
  const all: Uploads[] = [];
  for (const format of ['none', 'gzip', 'zstd'] as const) {
    const sent = format === 'none' ? file : await compressFile(file, format);
    const receiver = await startReceiver();
    all.push({ format, file: sent, rounds: await uploadAndWrite(receiver, sent.path, { folder, rounds }) });
    await receiver.end();
    if (sent !== file) await rm(sent.path);
  }
  return all;
}
