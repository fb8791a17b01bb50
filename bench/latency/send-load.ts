import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../packages/server/test/support/client.ts';
import { postFile } from '../post-file.ts';

/** A long interval, because the upload is the intended load and not the polls. */
const POLL_MS = 200;

// Uploads a file and exits when its job is completed.
const [file = ''] = process.argv.slice(2);
const { LOAD_URL: url = '', LOAD_KEY: key = '' } = process.env;
console.log('sending');
const id = await postFile({ url, key }, file);
const client = createClient(url, key);
for (;;) {
  const { attributes } = (await client.get(`/ingestions/${id}`)).body.data;
  if (attributes.status === 'completed') break;
  if (attributes.completed_at !== null) throw new Error(`The job ended with ${JSON.stringify(attributes)}`);
  await sleep(POLL_MS);
}
