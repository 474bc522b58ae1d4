import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from '../support/database/test-database.js';
import { repetitions } from '../support/repository/sweeps.js';
import { campaign } from '../../tools/campaigns/fuzz/campaign.js';
import { Tally } from '../../tools/campaigns/fuzz/tally.js';
import { startTarget, type Target } from '../../tools/campaigns/fuzz/target.js';

/** What is certain to be covered comes first; `npm run campaign -- fuzz --runs 100000` goes on for long, from a random seed. */
const REQUESTS = repetitions(500, 200);
/** Always the same, so that this spec says the same about the same sources. */
const SEED = 20_261_115;

let database: TestDatabase;
let target: Target;

beforeAll(async () => {
  database = await createTestDatabase();
  target = await startTarget(database, POOLER_ENVIRONMENT, new Tally());
});
afterAll(async () => {
  await target.stop();
  await database.drop();
});

test('the service answers generated requests as its document and the model say', async () => {
  await campaign(target, { seed: SEED, requests: REQUESTS });
  expect(target.tally.requests).toBeGreaterThanOrEqual(REQUESTS);
}, 300_000);
