import { pipeline, Readable } from 'node:stream';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { findExisting } from '../../api/resource-type.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { chooseCoding } from '../../request/choose-coding.ts';
import { ingestionResourceType, READ_SUBMITTED_RECORDS } from '../ingestions/resource-type.ts';
import { compressorFor, FILE_CODINGS } from './compressor-for.ts';
import { attachment, downloadName } from './content-disposition.ts';
import { assertFileKept } from './repository.ts';
import { openStoredFile } from './stored-file.ts';

/** Nothing else is true of any upload: it may be no JSON, or not even text. */
const MEDIA_TYPE = 'application/octet-stream';

/** The uploaded file of a job. */
export function ingestionFileEndpoints({ pool, blobs }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/ingestions/{id}/file',
      resourceType: ingestionResourceType,
      operationId: 'getIngestionFile',
      tag: 'Ingestions',
      summary: 'Download the uploaded file of a job',
      description:
        'Byte for byte what was uploaded, good records and bad; a file that came compressed is given out inflated. An Accept-Encoding with zstd or gzip has it compressed on the way.',
      access: READ_SUBMITTED_RECORDS,
      query: { fields: {} },
      responses: {
        200: {
          description: 'The file',
          mediaType: MEDIA_TYPE,
          headers: {
            'Content-Disposition': 'The name of the upload',
            'Content-Length': 'Bytes of the file; not there where it goes compressed',
            'Content-Encoding': 'zstd or gzip; not there where the file goes as it is',
            Vary: 'Accept-Encoding',
          },
        },
      },
      errors: [410],
      handle: async ({ request, reply, access: { tenantId }, params }) => {
        const findKept = () =>
          readAsTenant(pool, tenantId, async (client) => {
            const found = await findExisting(ingestionResourceType, client, tenantId, params.id);
            await assertFileKept(client, tenantId, found.id);
            return found;
          });
        const row = await findKept();
        const address = { tenantId, ingestionId: row.id, requestedAt: new Date(row.requested_at) };
        const file = await openStoredFile({ pool, blobs }, { ...address, bytes: row.bytes }).catch(
          async (error: unknown) => {
            // It may have been collected since.
            await findKept();
            throw error;
          },
        );
        const coding = chooseCoding(request.headers['accept-encoding'], FILE_CODINGS);
        reply.headers({
          'content-type': MEDIA_TYPE,
          'content-disposition': attachment(downloadName(row.file_name, row.id)),
          vary: 'Accept-Encoding',
          ...(coding === 'identity' ? { 'content-length': row.bytes } : { 'content-encoding': coding }),
        });
        const watched = logFailure(file, (error) => {
          request.log.error(
            { err: error, ingestionId: row.id },
            'a download broke off: its file cannot be read',
          );
        });
        // Of a stream that is sent in answer to HEAD all would be read.
        const content = Readable.from(request.method === 'HEAD' ? [] : watched, { objectMode: false });
        if (coding === 'identity' || request.method === 'HEAD') await reply.send(content);
        // A failure on either side, or a client that has gone, ends both.
        else await reply.send(pipeline(content, compressorFor(coding), () => undefined));
        return undefined;
      },
    },
  ];
}

/** Logs what the file itself fails with; a stream that is given up, as for a client that has gone, is no failure. */
async function* logFailure(
  file: AsyncGenerator<Buffer, void>,
  log: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  const next = async () => {
    try {
      return await file.next();
    } catch (error) {
      log(error);
      throw error;
    }
  };
  try {
    for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
  } finally {
    await file.return();
  }
}
