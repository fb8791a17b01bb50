// Runs after packing, so that no outdated build remains in the checkout.
import { rm } from 'node:fs/promises';

await rm('dist', { recursive: true, force: true });
