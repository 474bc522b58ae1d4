import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { useSecuredService } from '../support/http/tokens.js';
import { createShipment } from '../support/records/records.js';

const secured = useSecuredService();
const as = (scope: string) => secured.as({ scope });

const LISTS = [
  ['/v1/shipments', 'shipments:read', 'moves:read'],
  ['/v1/moves', 'moves:read', 'shipments:read'],
] as const;

// A match would tell whether a text is in a record that the caller may not read.
describe.each(LISTS)('GET %s with %s alone', (path, own, missingScope) => {
  test.each(['application/json', 'text/csv', 'application/jsonl'])('q is refused as %s', async (accept) => {
    const api = await as(own);
    const headers = { Accept: accept };
    const refused = await api.get(`${path}?q=springfield`, headers);
    expectProblem(refused, 403, 'FORBIDDEN');
    expect(refused.body.missingScope).toBe(missingScope);
    expect((await api.send('HEAD', `${path}?q=springfield`, undefined, headers)).status).toBe(403);
  });

  test('the list without q is not', async () => {
    expect((await (await as(own)).get(path)).status).toBe(200);
  });
});

test('with both scopes, q searches both', async () => {
  const writer = await as('shipments:write shipments:read moves:write moves:read');
  const shipment = await createShipment(writer, { customerRemarks: 'xylophone' });
  const reader = await as('shipments:read moves:read');
  const ids = async (path: string) => (await reader.get<Json[]>(path)).body.map(({ id }) => id);
  expect(await ids('/v1/shipments?q=xylophone')).toEqual([shipment.id]);
  expect(await ids('/v1/moves?q=xylophone')).toEqual([shipment.moveID]);
});
