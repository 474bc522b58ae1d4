import { randomInt } from 'node:crypto';
import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from '../support/test-database.js';
import { campaign } from './campaign.js';
import { Tally } from './tally.js';
import { startTarget, type Target } from './target.js';

/** What is certain to be covered comes first; `npm run test:fuzz -- --runs 100000` goes on for long. */
const REQUESTS = 500;

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
  const seed = randomInt(2 ** 31);
  process.stdout.write(`Fuzzing with the seed ${seed}\n`);
  await campaign(target, { seed, requests: REQUESTS });
  expect(target.tally.requests).toBeGreaterThanOrEqual(REQUESTS);
}, 300_000);
