const MAX_BYTES = String(64 * 2 ** 30);

/** Settings of a service that accepts uploads of up to 64 GiB. */
export const NO_SIZE_LIMITS = { SLUICE_UPLOAD_MAX_BYTES: MAX_BYTES, SLUICE_INFLATED_MAX_BYTES: MAX_BYTES };
