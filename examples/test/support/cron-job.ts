import { z } from 'zod';
import { readExample, readYaml } from './examples.ts';

const containerSchema = z.looseObject({
  name: z.string(),
  args: z.array(z.string()),
  env: z.array(z.looseObject({ name: z.string(), valueFrom: z.unknown() })),
  securityContext: z.unknown(),
  resources: z.object({ limits: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const podSchema = z.looseObject({
  restartPolicy: z.string(),
  automountServiceAccountToken: z.boolean(),
  securityContext: z.looseObject({ runAsNonRoot: z.boolean(), seccompProfile: z.unknown() }),
  initContainers: z.array(containerSchema),
  containers: z.array(containerSchema),
  volumes: z.array(z.looseObject({ name: z.string(), emptyDir: z.unknown() })),
});
const cronJobSchema = z.looseObject({
  kind: z.literal('CronJob'),
  spec: z.looseObject({
    concurrencyPolicy: z.string(),
    jobTemplate: z.object({
      spec: z.looseObject({
        activeDeadlineSeconds: z.number(),
        backoffLimit: z.number(),
        template: z.object({ spec: podSchema }),
      }),
    }),
  }),
});
const dataSchema = z.looseObject({
  kind: z.enum(['Secret', 'ConfigMap']),
  metadata: z.object({ name: z.string() }),
  stringData: z.record(z.string(), z.string()).optional(),
  data: z.record(z.string(), z.string()).optional(),
});

export type Container = z.output<typeof containerSchema>;

export interface CronJobFile {
  readonly text: string;
  readonly documents: readonly unknown[];
  readonly cronJob: z.output<typeof cronJobSchema>;
  /** Init containers, followed by the other containers. */
  readonly containers: readonly Container[];
}

export async function readCronJob(): Promise<CronJobFile> {
  const text = await readExample('kubernetes/cronjob.yaml');
  const documents = readYaml(text);
  const cronJob = cronJobSchema.parse(documents.at(-1));
  const { initContainers, containers } = cronJob.spec.jobTemplate.spec.template.spec;
  return { text, documents, cronJob, containers: [...initContainers, ...containers] };
}

/**
 * Maps each variable of a container to the type of the object that defines it. Throws if that object does not contain
 * the variable.
 */
export function environmentOf({ documents }: CronJobFile, container: Container): Record<string, string> {
  const objects = documents.slice(0, -1).map((document) => dataSchema.parse(document));
  const reference = z.object({ name: z.string(), key: z.string() });
  const source = z.strictObject({
    secretKeyRef: reference.optional(),
    configMapKeyRef: reference.optional(),
  });
  const entries = container.env.map(({ name, valueFrom }) => {
    const { secretKeyRef, configMapKeyRef } = source.parse(valueFrom);
    const ref = secretKeyRef ?? configMapKeyRef;
    const type = secretKeyRef === undefined ? 'ConfigMap' : 'Secret';
    const object = objects.find((each) => each.kind === type && each.metadata.name === ref?.name);
    if (ref === undefined || (object?.stringData ?? object?.data)?.[ref.key] === undefined)
      throw new Error(`No ${type} defines ${name}`);
    return [name, type];
  });
  return Object.fromEntries(entries);
}
