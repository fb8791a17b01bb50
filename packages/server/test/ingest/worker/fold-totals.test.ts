import { after, before, it } from 'node:test';
import { createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

let service: SharedService;
before(async () => {
  service = await joinService();
});
after(async () => await service.leave());

it('an idle worker adds pending changes of counts to the totals', async () => {
  const records = Array.from({ length: 1500 }, (_, at) =>
    record({ metadata: { event_code: `check_${at}` } }),
  );
  await createClient(service.url, service.key).ingest(records);
  await until(async () => {
    const changes = await service.sql('select from finding_total_changes where tenant_id = $1', [
      service.tenantId,
    ]);
    return changes.length === 0;
  });
  await assertTrueCounts(service);
});
