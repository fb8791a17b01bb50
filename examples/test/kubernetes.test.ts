import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { broken, readExample, readYaml } from './support/examples.ts';
import { kubernetesFaults } from './support/kubernetes-types.ts';

const text = await readExample('kubernetes/cronjob.yaml');

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

const documents = readYaml(text);
const cronJob = cronJobSchema.parse(documents.at(-1));
const job = cronJob.spec.jobTemplate.spec;
const pod = job.template.spec;
const containers = [...pod.initContainers, ...pod.containers];

/** The variables that a container gets, each with the kind of object that it comes from. */
function environmentOf(container: z.output<typeof containerSchema>): Record<string, string> {
  const objects = documents.slice(0, -1).map((document) => dataSchema.parse(document));
  const reference = z.object({ name: z.string(), key: z.string() });
  const source = z.strictObject({
    secretKeyRef: reference.optional(),
    configMapKeyRef: reference.optional(),
  });
  const entries = container.env.map(({ name, valueFrom }) => {
    const { secretKeyRef, configMapKeyRef } = source.parse(valueFrom);
    const ref = secretKeyRef ?? configMapKeyRef;
    const kind = secretKeyRef === undefined ? 'ConfigMap' : 'Secret';
    const object = objects.find((each) => each.kind === kind && each.metadata.name === ref?.name);
    assert.ok(
      ref !== undefined && (object?.stringData ?? object?.data)?.[ref.key],
      `${name} is not in a ${kind}`,
    );
    return [name, kind];
  });
  return Object.fromEntries(entries);
}

describe('the Kubernetes objects', () => {
  it('have the fields and types that Kubernetes knows', async () => {
    assert.equal(documents.length, 4);
    assert.equal(await kubernetesFaults(documents), '');
  });

  it('would not, with a misspelled field deep within, or a text for a number', async () => {
    const faults = (right: string, wrong: string) => kubernetesFaults(readYaml(broken(text, right, wrong)));
    assert.match(await faults('readOnlyRootFilesystem', 'readonlyRootFilesystem'), /readonlyRootFilesystem/);
    assert.match(
      await faults('activeDeadlineSeconds: 7200', 'activeDeadlineSeconds: 2h'),
      /not assignable to type 'number'/,
    );
  });
});

describe('the Kubernetes job', () => {
  it('runs once at a time, ends in time, and does not try for ever', () => {
    assert.equal(cronJob.spec.concurrencyPolicy, 'Forbid');
    assert.ok(job.activeDeadlineSeconds > 3600, 'longer than the push waits');
    assert.equal(job.backoffLimit, 3);
    assert.equal(pod.restartPolicy, 'OnFailure');
  });

  it('keeps to the restricted Pod Security Standard, with a root file system that cannot be written', () => {
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
    for (const { securityContext, resources } of containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.deepEqual(Object.keys(resources.limits), ['cpu', 'memory']);
    }
  });

  it('has a folder to write to wherever its arguments name one', () => {
    assert.deepEqual(
      pod.volumes.map(({ name }) => name),
      ['output', 'tmp'],
    );
    for (const { args, volumeMounts } of containers)
      for (const word of args.filter((each) => each.startsWith('/')))
        assert.ok(
          volumeMounts.some(({ mountPath }) => word.startsWith(mountPath)),
          word,
        );
  });

  it('shows each container only its own secret', () => {
    const [scan, push] = containers.map(environmentOf);
    assert.deepEqual(scan, {
      DIRECTORY_ORG_DOMAIN: 'ConfigMap',
      DIRECTORY_CLIENT_ID: 'ConfigMap',
      DIRECTORY_PRIVATE_KEY: 'Secret',
    });
    assert.deepEqual(push, { SCANNER_CLOUD_API_BASE_URL: 'ConfigMap', SCANNER_CLOUD_API_KEY: 'Secret' });
  });

  it('counts a scan that found something as done, and a push that failed as failed', () => {
    const [scan, push] = containers;
    assert.ok(scan?.args.includes('--ignore-exit-code-3'));
    assert.deepEqual(push?.args.slice(0, 2), ['push', '--wait']);
  });
});
