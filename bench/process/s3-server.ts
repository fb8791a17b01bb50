import { startS3Server } from '../../packages/server/test/support/s3-server.ts';
import { stopWhenInputEnds } from './child.ts';

/** An S3 server in memory, in a process of its own. Prints the settings of a service that uses it. */
const server = await startS3Server();
stopWhenInputEnds(server.stop);
console.log(JSON.stringify(server.environment));
