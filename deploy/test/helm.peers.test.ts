import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { SETTING_NAMES } from '../../packages/server/src/config/config.ts';
import { run } from '../../packages/server/test/support/process.ts';
import { installHelm } from '../../peers/helm.ts';
import { type KubernetesSchemas, kubernetesSchemas, manifestSchema } from '../../peers/kubernetes-schemas.ts';
import { CHART, DEPLOY, RENDERED, render, renderFile } from '../manifests.ts';

const helm = await installHelm();
const schemas = typeof helm === 'string' ? await kubernetesSchemas() : helm.missing;
const skip = typeof schemas === 'string' && schemas;
const PRODUCTION = ['--values', path.join(CHART, 'ci/production.yaml')];
const EVERYTHING = ['--values', path.join(CHART, 'ci/everything.yaml')];

const containerSchema = z.looseObject({
  args: z.array(z.string()),
  image: z.string(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
});
const deploymentSchema = manifestSchema.extend({
  spec: z.looseObject({
    replicas: z.number().optional(),
    strategy: z.looseObject({ type: z.string() }),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        enableServiceLinks: z.boolean(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean() }),
        containers: z.tuple([containerSchema]),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
});

function manifestsOf(text: string) {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((content) => content !== null)
    .map((content) => manifestSchema.parse(content));
}

describe('Helm chart', { skip }, () => {
  const program = helm as string;
  const { validate, remove } = schemas as KubernetesSchemas;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-helm-'));
  });
  after(async () => {
    await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const rendered = async (...args: string[]) => manifestsOf(await render(program, ...args));
  const deployments = async (...args: string[]) =>
    (await rendered(...args))
      .filter(({ kind }) => kind === 'Deployment')
      .map((manifest) => deploymentSchema.parse(manifest));
  const names = (manifests: { kind: string; metadata: { name: string } }[]) =>
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  const lint = async (chart: string, ...args: string[]) =>
    await run(program, ['lint', '--strict', chart, ...args]);
  /** Returns Helm's error message for rejected values. */
  const getError = async (...args: string[]) =>
    await render(program, ...args).then(
      () => assert.fail(`${args.join(' ')} was not rejected`),
      (error: Error) => error.message,
    );

  it('the chart passes helm lint with default values, production values, and all options', async () => {
    for (const args of [[], PRODUCTION, EVERYTHING]) {
      const { code, stdout, stderr } = await lint(CHART, ...args);
      assert.equal(code, 0, `${args}\n${stdout}\n${stderr}`);
    }
  });

  it('helm lint rejects an invalid template', async () => {
    const broken = path.join(folder, 'sluice');
    await cp(CHART, broken, { recursive: true });
    await writeFile(path.join(broken, 'templates/services.yaml'), '{{ if }}');
    assert.notEqual((await lint(broken)).code, 0);
  });

  it('rendered manifests conform to the schemas of Kubernetes, KEDA, and the Prometheus operator', async () => {
    for (const args of [[], PRODUCTION, EVERYTHING])
      assert.deepEqual(await validate(await rendered(...args)), [], args.join(' '));
  });

  it('schema validation rejects a misspelled field, a wrong type, and an unknown resource', async () => {
    const text = await render(program, ...EVERYTHING);
    for (const [valid, invalid, error] of [
      ['readOnlyRootFilesystem', 'readonlyRootFilesystem', /readonlyRootFilesystem/],
      ['terminationGracePeriodSeconds: 40', 'terminationGracePeriodSeconds: 40s', /is not of type 'integer'/],
      ['kind: PodDisruptionBudget', 'kind: PodDisruptionBudgets', /find schema/],
      [
        'serverAddress: "http://prometheus.monitoring:9090"',
        'serverAddress: 9090',
        /ScaledObject .*must be string/,
      ],
      ['endpoints:', 'endpoint:', /ServiceMonitor .*endpoints/],
    ] as const) {
      assert.ok(text.includes(valid), valid);
      const errors = await validate(manifestsOf(text.replaceAll(valid, invalid)));
      assert.match(errors.join('\n'), error);
    }
  });

  it('the chart renders one pod with the embedded database and a volume by default', async () => {
    assert.deepEqual(names(await rendered()), [
      'Deployment sluice',
      'PersistentVolumeClaim sluice-data',
      'Service sluice',
      'Service sluice-operations',
      'ServiceAccount sluice',
    ]);
    const [all, ...others] = await deployments();
    assert.deepEqual(others, []);
    assert.equal(all?.spec.replicas, 1);
    assert.deepEqual(all?.spec.strategy, { type: 'Recreate' });
    const [container] = all?.spec.template.spec.containers ?? [];
    assert.deepEqual(container?.args, ['serve', '--role', 'all']);
    assert.ok(!container?.env.some(({ name }) => name === 'DATABASE_URL'));
    assert.deepEqual(all?.spec.template.spec.volumes[0], {
      name: 'data',
      persistentVolumeClaim: { claimName: 'sluice-data' },
    });
  });

  it('the chart renders separate API and worker deployments without volumes for an external database and S3', async () => {
    assert.deepEqual(names(await rendered(...PRODUCTION)), [
      'Deployment sluice-api',
      'Deployment sluice-worker',
      'PodDisruptionBudget sluice-api',
      'PodDisruptionBudget sluice-worker',
      'Service sluice',
      'Service sluice-operations',
      'ServiceAccount sluice',
    ]);
    for (const { metadata, spec } of await deployments(...PRODUCTION)) {
      const [{ args, env }] = spec.template.spec.containers;
      const role = metadata.name.replace('sluice-', '');
      assert.deepEqual(args, ['serve', '--role', role]);
      assert.equal(spec.replicas, 2);
      const secrets = env.flatMap(({ name, valueFrom }) =>
        valueFrom === undefined ? [] : [[name, valueFrom]],
      );
      const from = (name: string, key: string) => ({ secretKeyRef: { name, key } });
      assert.deepEqual(Object.fromEntries(secrets), {
        DATABASE_URL: from('sluice-database', 'DATABASE_URL'),
        AWS_ACCESS_KEY_ID: from('sluice-s3', 'AWS_ACCESS_KEY_ID'),
        AWS_SECRET_ACCESS_KEY: from('sluice-s3', 'AWS_SECRET_ACCESS_KEY'),
      });
    }
  });

  it('the chart renders all optional resources and omits replicas with autoscaling', async () => {
    const all = names(await rendered(...EVERYTHING));
    for (const name of [
      'ConfigMap sluice-findings-dashboard',
      'HorizontalPodAutoscaler sluice-findings-api',
      'Ingress sluice-findings',
      'NetworkPolicy sluice-findings',
      'PrometheusRule sluice-findings',
      'ScaledObject sluice-findings-worker',
      'ServiceMonitor sluice-findings',
    ])
      assert.ok(all.includes(name), name);
    for (const { spec } of await deployments(...EVERYTHING)) {
      assert.equal(spec.replicas, undefined);
      assert.equal(
        spec.template.spec.containers[0].image,
        `registry.example.com/security/sluice@sha256:${'0'.repeat(64)}`,
      );
    }
  });

  it('the chart runs pods as non-root with a read-only root file system and volumes for writable folders', async () => {
    for (const args of [[], PRODUCTION, EVERYTHING])
      for (const { spec } of await deployments(...args)) {
        const pod = spec.template.spec;
        const [container] = pod.containers;
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.equal(pod.enableServiceLinks, false);
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        });
        assert.deepEqual(
          container.volumeMounts.map(({ name }) => name),
          pod.volumes.map(({ name }) => name),
        );
        for (const mount of ['/data', '/tmp'])
          assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === mount));
      }
  });

  it('the chart sets only known settings, and a drain time within the termination grace period', async () => {
    for (const args of [[], PRODUCTION, EVERYTHING])
      for (const { metadata, spec } of await deployments(...args)) {
        const { env, args } = spec.template.spec.containers[0];
        for (const { name } of env)
          assert.ok(SETTING_NAMES.has(name) || name.startsWith('OTEL_') || name === 'AWS_REGION', name);
        const isWorker = args.includes('worker');
        const drain = env.find(({ name }) => name === 'SLUICE_DRAIN_SECONDS')?.value;
        assert.equal(drain, isWorker ? undefined : '15', metadata.name);
        assert.ok(spec.template.spec.terminationGracePeriodSeconds >= 15 + 10);
      }
  });

  it('the chart rejects invalid combinations of values with a message', async () => {
    const embedded = /The embedded PostgreSQL supports only one pod. Set database\.existingSecret/;
    for (const [args, message] of [
      [['--set', 'api.replicas=2'], embedded],
      [['--set', 'worker.replicas=2'], embedded],
      [['--set', 'api.autoscaling.enabled=true'], embedded],
      [['--set', 'database.existingSecret=db'], /must share the blob store.* Set blobStore\.s3Url/],
      [['--set', 'blobStore.existingSecret=s3'], /blobStore\.s3Url is empty/],
      [['--set', 'drainSeconds=30'], /terminationGracePeriodSeconds is 40.* Set it to at least .*45/],
      [[...PRODUCTION, '--set', 'worker.autoscaling.enabled=true'], /Set worker\.autoscaling\.prometheusUrl/],
      [[...EVERYTHING, '--set', 'api.autoscaling.minReplicas=9'], /api\.autoscaling\.minReplicas must not/],
      [['--set', 'api.replica=2'], /additional properties 'replica' not allowed/],
      [['--set', 'image.digest=latest'], /image\/digest.*does not match pattern/],
    ] as const)
      assert.match((await getError(...args)).replaceAll('\n', ' '), message);
  });

  it('the chart shares a ReadWriteMany volume between pods', async () => {
    const args = ['--set', 'database.existingSecret=db', '--set', 'persistence.accessModes={ReadWriteMany}'];
    const claims = (await rendered(...args)).filter(({ kind }) => kind === 'PersistentVolumeClaim');
    assert.equal(claims.length, 1);
    for (const { spec } of await deployments(...args))
      assert.deepEqual(spec.template.spec.volumes[0], {
        name: 'data',
        persistentVolumeClaim: { claimName: 'sluice-data' },
      });
  });

  it('services and disruption budgets select only the pods of their deployment', async () => {
    const manifests = await rendered(...EVERYTHING);
    const pods = (await deployments(...EVERYTHING)).map(({ metadata, spec }) => ({
      name: metadata.name,
      labels: spec.template.metadata.labels,
    }));
    const selectedBy = (selector: Record<string, string>) =>
      pods
        .filter(({ labels }) => Object.entries(selector).every(([name, value]) => labels[name] === value))
        .map(({ name }) => name);
    const selectors = z.object({ selector: z.record(z.string(), z.string()) });
    const matching = z.object({ selector: z.object({ matchLabels: z.record(z.string(), z.string()) }) });
    const of = (type: string, name: string) =>
      manifests.find((each) => each.kind === type && each.metadata.name === `sluice-findings${name}`)?.spec;
    assert.deepEqual(selectedBy(selectors.parse(of('Service', '')).selector), ['sluice-findings-api']);
    assert.equal(selectedBy(selectors.parse(of('Service', '-operations')).selector).length, 2);
    for (const role of ['-api', '-worker'])
      assert.deepEqual(selectedBy(matching.parse(of('PodDisruptionBudget', role)).selector.matchLabels), [
        `sluice-findings${role}`,
      ]);
  });

  it('deploy/manifests contains the manifests rendered from the chart', async () => {
    for (const file of RENDERED)
      assert.equal(
        await readFile(path.join(DEPLOY, 'manifests', file.name), 'utf8'),
        await renderFile(program, file),
        `${file.name} is outdated; run npm run manifests`,
      );
  });

  it('the chart prints next steps after installation', async () => {
    const notes = async (...args: string[]) => {
      const options = ['--dry-run=client', '--namespace', 'sluice'];
      const { code, stdout, stderr } = await run(program, ['install', 'sluice', CHART, ...options, ...args]);
      assert.equal(code, 0, stderr);
      return stdout.slice(stdout.indexOf('NOTES:'));
    };
    assert.match(await notes(), /This installation is for evaluation only/);
    const production = await notes(...PRODUCTION);
    assert.match(production, /exec deployment\/sluice-api -- node .* tenant create Acme/);
    assert.doesNotMatch(production, /evaluation|downtime/);
  });
});
