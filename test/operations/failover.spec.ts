import { seeded } from '../crash/random.js';
import { Campaign } from '../failover/campaign.js';
import { clusterFaults } from '../failover/faults.js';
import { debianPostgres } from '../support/debian-postgres.js';
import { describeWith } from '../support/tools.js';

const TTL = 10;
/** `npm run test:failover` has them all. */
const TRIED = ['primary: machine killed', 'primary: network cut'];

describeWith(['patroni', 'etcd', 'haproxy', 'nginx'], 'a PostgreSQL cluster with synchronous replication', () => {
  let campaign: Campaign;
  beforeAll(async () => {
    campaign = await Campaign.start({ synchronous: true, ttl: TTL, binDir: debianPostgres() }, seeded(1));
  });
  afterAll(() => campaign.stop());

  it.each(TRIED)('loses no accepted write and takes over by itself: %s', async (wanted) => {
    const [fault] = clusterFaults(TTL).filter(({ name }) => name === wanted);
    if (fault === undefined) throw new Error(`There is no fault ${wanted}`);
    const { findings, accepted } = await campaign.endure(fault);
    for (const [check, faults] of findings) expect([check, faults]).toEqual([check, []]);
    expect(accepted).toBeGreaterThan(0);
  });
});
