import { startS3Server } from '../../packages/server/test/support/s3-server.ts';
import { stopWithInput } from './child.ts';

/** An S3 server in memory, in a process of its own. Prints the settings of a service that uses it. */
const server = await startS3Server();
stopWithInput(server.stop);
console.log(JSON.stringify(server.environment));
