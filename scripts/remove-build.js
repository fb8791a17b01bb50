// After packing: a build that stays in a checkout would be old with the next change.
import { rm } from 'node:fs/promises';

await rm('dist', { recursive: true, force: true });
