import type { Request } from 'express';
import { identityOf } from '../../src/writes/idempotency/request-identity.js';
import { openContext } from '../../src/http/request-context.js';
import { ServerResponse } from 'node:http';

const ID = '01a0b1c2-d3e4-7f56-8abc-def012345678';

/** The path by which a key is stored, for a request to this record. */
function storedPath(name: string): string | undefined {
  const request = {
    method: 'PATCH',
    headers: { 'idempotency-key': 'k' },
    route: { path: '/v1/shipments/:shipmentID/x' },
    params: { shipmentID: name },
  } as unknown as Request;
  openContext(request, new ServerResponse(request));
  return identityOf(request)?.[2];
}

test.each([
  ['an id in capitals', ID.toUpperCase(), ID],
  ['an id in both', ID.replace('a', 'A'), ID],
  ['a code in lower case', 'p9ds53-02', 'P9DS53-02'],
  ['a code', 'P9DS53-02', 'P9DS53-02'],
])('%s is stored in its canonical spelling', (_, sent, canonical) => {
  expect(storedPath(sent)).toBe(`/v1/shipments/${canonical}/x`);
});
