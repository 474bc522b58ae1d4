import { readFileSync } from 'node:fs';
import type { Json } from '../support/http/api.js';
import { rawRequest, readAnswer, sendRaw } from '../support/http/raw-http.js';
import { useService } from '../support/service/service.js';

interface Vector {
  name: string;
  method: string;
  headers: [string, string][];
  exists: boolean;
  body: 'valid' | 'invalid' | 'text';
  expected: number;
  acceptable: number[];
  why: string;
}

/**
 * Conditional requests of RFC 9110, one a line. `cur` in a header stands for the eTag of the record, `CUR` for it in upper case; a record
 * that does not exist was deleted; a body is valid, invalid or of another media type. Sent over a socket, because clients tidy headers.
 */
const vectors = readFileSync('test/etag/preconditions.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

const BODIES = {
  valid: { type: 'application/json', text: JSON.stringify({ shipmentType: 'CHANGED' }) },
  invalid: { type: 'application/json', text: JSON.stringify({ shipmentType: 17, nonsense: true }) },
  text: { type: 'text/plain', text: 'CHANGED' },
};

const service = useService();

test.each(vectors.map((vector) => [vector.expected, vector.name, vector] as const))(
  '%i for %s',
  async (expected, _, vector) => {
    const { body: shipment } = await service.api.post('/v1/shipments', { shipmentType: 'HHG' });
    if (!vector.exists) await service.api.delete(`/v1/shipments/${shipment.id}`);

    const raw = await sendRaw(service.port, requestOf(vector, shipment));
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(raw)?.[1]);

    expect(vector.acceptable).toContain(expected);
    expect(status).toBe(expected);
    if (status >= 400 && vector.method !== 'HEAD') {
      expect(readAnswer(raw).body).toMatchObject({ status, type: expect.stringContaining('/problems/') as string });
    }
    if (vector.exists && !vector.acceptable.some((status) => status < 300)) {
      expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
    }
  },
);

function requestOf({ method, headers, body }: Vector, shipment: Json): Buffer {
  const live = headers.map(([name, value]) => {
    const written = value.replaceAll('cur', shipment.eTag).replaceAll('CUR', shipment.eTag.toUpperCase());
    return [name, written] as const;
  });
  const path = `/v1/shipments/${shipment.id}`;
  if (!['PATCH', 'PUT', 'POST'].includes(method)) return rawRequest(method, path, live);
  const { type, text } = BODIES[body];
  return rawRequest(method, path, [...live, ['Content-Type', type]], text);
}
