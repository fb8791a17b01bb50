import { z } from 'zod';

/** What a person calls a role or a key: 1 to 100 characters, not blank, nothing that cannot be seen or stored. */
export const shortName = z
  .string()
  .regex(
    /^(?=.*\S)[^\p{Cc}\p{Cs}]{1,100}$/u,
    'It must be 1 to 100 characters, not blank, without control characters',
  );
