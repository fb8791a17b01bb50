// After packing: a build that stays in a checkout would be old with the next change.
import { rm } from 'node:fs/promises';

await rm(new URL('../dist/', import.meta.url), { recursive: true, force: true });
