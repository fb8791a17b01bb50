import { startS3Server } from '../../packages/server/test/support/s3-server.ts';
import { stopWhenInputEnds } from './child.ts';

// An in-memory S3 server in a separate process. Prints the settings that connect a service to it.
const server = await startS3Server();
stopWhenInputEnds(server.stop);
console.log(JSON.stringify(server.environment));
