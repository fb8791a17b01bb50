import type { Client } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';

/** A request, and equivalent hand-written SQL; `$1` is the tenant. */
export interface Read {
  readonly name: string;
  readonly tenantId: string;
  /** Path relative to `/api/v1`. */
  readonly path: string;
  readonly sql: readonly string[];
}

const FINDING = 'f.*, c.title, c.categories, p.type, p.account';
const COUNTS = 'finding_counts f where f.tenant_id = $1';

/** A page of findings with their checks and providers. `order` refers to columns of `findings`. */
function pageSql(where: string, order: string): string {
  return `select ${FINDING} from (
      select f.id from findings f where f.tenant_id = $1 ${where} order by ${order} limit 10
    ) page
    join findings f on f.tenant_id = $1 and f.id = page.id
    join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
    left join checks c on c.tenant_id = f.tenant_id and c.provider_type = p.type and c.check_id = f.check_id
    order by ${order}`;
}

/** A page and the total count, for conditions that `finding_counts` supports. */
function countedSql(where: string, order: string): readonly string[] {
  return [`select sum(f.number) from ${COUNTS} ${where}`, pageSql(where, order)];
}

function summarySql(where: string): readonly string[] {
  return [
    `select status, severity, provider_id, service, delta, muted, sum(number) from ${COUNTS} ${where}
     group by grouping sets ((status), (severity), (provider_id), (service), (delta), (muted), (severity, status, muted))`,
  ];
}

export async function listReads({ tenantId, sql }: Service, client: Client): Promise<readonly Read[]> {
  const [common] = await sql<{ check_id: string; provider_id: string }>(
    'select check_id, provider_id from findings where tenant_id = $1 limit 1',
    [tenantId],
  );
  if (common === undefined) throw new Error('The tenant has no findings');
  const { check_id, provider_id } = common;
  const scans = await client.get<readonly { id: string }[]>('/scans');
  if (scans.status !== 200) throw new Error(`/scans returned ${scans.status}`);
  const bySeverity = 'f.severity desc, f.id desc';
  const check = `and f.check_id = '${check_id}'`;
  const provider = `and f.provider_id = '${provider_id}'`;
  const reads: Omit<Read, 'tenantId'>[] = [
    { name: 'findings', path: '/findings', sql: countedSql('', bySeverity) },
    {
      name: 'findings, failing',
      path: '/findings?filter[status]=FAIL&filter[muted]=false',
      sql: countedSql("and f.status = 'FAIL' and not f.muted", bySeverity),
    },
    {
      name: 'findings, failing and critical',
      path: '/findings?filter[status]=FAIL&filter[severity]=critical',
      sql: countedSql("and f.status = 'FAIL' and f.severity = 5", bySeverity),
    },
    {
      name: 'findings of a check',
      path: `/findings?filter[check_id]=${check_id}`,
      sql: [`select count(*) from findings f where f.tenant_id = $1 ${check}`, pageSql(check, bySeverity)],
    },
    {
      name: 'findings of a provider',
      path: `/findings?filter[provider]=${provider_id}`,
      sql: countedSql(provider, bySeverity),
    },
    {
      name: 'findings, changed',
      path: '/findings?filter[delta]=changed',
      sql: [
        `select sum(f.number) from ${COUNTS} and f.delta = 'changed'`,
        pageSql('and f.is_changed', bySeverity),
      ],
    },
    {
      name: 'findings by -last_seen_at',
      path: '/findings?sort=-last_seen_at',
      sql: countedSql('', 'f.last_seen_at desc, f.id desc'),
    },
    { name: 'summary', path: '/findings/summary', sql: summarySql('') },
    {
      name: 'summary, failing',
      path: '/findings/summary?filter[status]=FAIL',
      sql: summarySql("and f.status = 'FAIL'"),
    },
    {
      name: 'summary of a provider',
      path: `/findings/summary?filter[provider]=${provider_id}`,
      sql: summarySql(provider),
    },
    {
      name: 'scans',
      path: '/scans',
      sql: [
        'select count(*) from scans where tenant_id = $1',
        'select * from scans where tenant_id = $1 order by ingestion_id desc limit 10',
      ],
    },
    {
      name: 'providers',
      path: '/providers',
      sql: [
        'select count(*) from providers where tenant_id = $1',
        `select p.*, n.* from (select * from providers where tenant_id = $1 order by type, account limit 10) p
         cross join lateral (
           select sum(number) as findings, sum(number) filter (where status = 'FAIL' and not muted) as failing
           from finding_counts f where f.tenant_id = p.tenant_id and f.provider_id = p.id
         ) n`,
      ],
    },
    {
      name: 'checks',
      path: '/checks',
      sql: [
        'select count(*) from checks where tenant_id = $1',
        `select c.*, n.* from (select * from checks where tenant_id = $1 order by check_id limit 10) c
         cross join lateral (
           select count(*) as findings, count(*) filter (where status = 'FAIL' and not muted) as failing
           from findings f where f.tenant_id = c.tenant_id and f.check_id = c.check_id
         ) n`,
      ],
    },
    {
      name: 'ingestions',
      path: '/ingestions',
      sql: [
        'select count(*) from ingestions where tenant_id = $1',
        'select * from ingestions where tenant_id = $1 order by inserted_at desc limit 10',
      ],
    },
  ];
  return reads.map((read) => ({ ...read, tenantId }));
}
