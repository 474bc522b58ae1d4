import { columnsOf } from '../../src/files/columns.js';
import { SHIPMENT_FILES } from '../../src/shipments/dto/shipment-fields.js';
import { CSV, JSON_LINES, recordsOf, textOf, valuesIn, valuesOf } from '../support/records/files.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
const columns = columnsOf(SHIPMENT_FILES);
const today = () => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  await createShipment(service.api, {
    customerRemarks: '=1+1',
    destinationAddress: { ...ADDRESS, streetAddress2: '' },
  });
  await createShipment(service.api, { customerRemarks: "'quoted'", deliveryDate: '2026-04-15', estimatedWeight: 4500 });
  await createShipment(service.api, { customerRemarks: 'é, "x"\r\nnext line' });
  await createMove(service.api, { remarks: '' });
});

const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(service.url + path, { method, headers });

describe('the file', () => {
  test('is CSV with a header line, CRLF, and quotes where RFC 4180 has them', async () => {
    const response = await ask('/v1/shipments', CSV);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="shipments-${today()}.csv"`);
    expect(response.headers.get('Vary')).toBe('Accept');
    expect(response.headers.get('Cache-Control')).toBe('no-store, no-transform');
    expect(response.headers.get('ETag')).toBeNull();
    const text = await response.text();
    expect(text).toMatch(/^id,shipmentCode,moveID,shipmentType,status,.*,createdAt,updatedAt,eTag\r\n/);
    expect(text).toContain(',"é, ""x""\r\nnext line",');
    expect(text).toContain(",'=1+1,");
    expect(text).toContain(",'quoted',");
    expect(text).toMatch(/[0-9a-f]{64}\r\n$/);
  });

  test('is one JSON object per line, the same as in the list', async () => {
    const response = await ask('/v1/moves', JSON_LINES);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/jsonl; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="moves-${today()}.jsonl"`);
    expect(recordsOf(await response.text())).toEqual((await service.api.get('/v1/moves')).body);
  });

  test('begins with a byte order mark for Excel alone, where dates and codes are formulas for texts', async () => {
    const plain = await textOf(ask('/v1/shipments', CSV));
    const file = await textOf(ask('/v1/shipments?excel=true', CSV));
    expect(file.startsWith('\uFEFFid,')).toBe(true);
    expect(file).toContain(',"=""2026-04-15""",4500,');
    expect(file.replaceAll(/"=""([^"]*)"""/g, '$1')).toBe(`\uFEFF${plain}`);
    expect(valuesOf(file, columns)).toEqual(valuesOf(plain, columns));
    expect(await textOf(ask('/v1/shipments?excel=false', CSV))).toBe(plain);
    expect(plain.startsWith('id,')).toBe(true);
  });

  test('has a header line also when the list is empty; JSON lines have none', async () => {
    const header = `${columns.map(({ path }) => path).join(',')}\r\n`;
    expect(await textOf(ask('/v1/shipments?shipmentType=NONE', CSV))).toBe(header);
    expect(await textOf(ask('/v1/shipments?shipmentType=NONE', JSON_LINES))).toBe('');
  });

  test('is not sent for HEAD, whose headers are the same', async () => {
    const [head, get] = [await ask('/v1/shipments', CSV, 'HEAD'), await ask('/v1/shipments', CSV)];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['Content-Type', 'Content-Disposition', 'Vary', 'Cache-Control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

describe('what is asked for', () => {
  test.each([
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
    ['application/jsonl, */*;q=0.1', 'application/jsonl'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
  ])('%s gets %s', async (Accept, type) => {
    const response = await ask('/v1/shipments', { Accept });
    expect(response.headers.get('Content-Type')?.split(';')[0]).toBe(type);
    await response.arrayBuffer();
  });

  test('406 for another type, and for a file of anything but shipments and moves', async () => {
    const { id } = await createShipment(service.api);
    for (const [path, Accept] of [
      ['/v1/shipments', 'application/vnd.ms-excel'],
      ['/v1/moves', 'text/plain'],
      [`/v1/shipments/${id}`, 'text/csv'],
      [`/v1/shipments/${id}/history`, 'text/csv'],
      [`/v1/shipments/${id}/agents`, 'application/jsonl'],
    ] as const) {
      expectProblem(await service.api.get(path, { Accept }), 406, 'NOT_ACCEPTABLE');
    }
  });

  test.each(['limit=10', 'cursor=$cursor', 'expand=move', 'excel=maybe'])('400 for a file with %s', async (query) => {
    const cursor = Buffer.from(`-createdAt 01900000-0000-7000-8000-000000000000`).toString('base64url');
    const answer = await service.api.get(`/v1/shipments?${query.replace('$cursor', cursor)}`, CSV);
    expectProblem(answer, 400, 'INVALID_PARAMETER');
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: `?${query.split('=')[0]}` })]);
  });

  test.each([{}, JSON_LINES])('400 for excel without CSV: %j', async (headers) => {
    expectProblem(await service.api.get('/v1/moves?excel=true', headers), 400, 'INVALID_PARAMETER');
  });
});

test('the examples of the document have the columns of the files', async () => {
  const { content } = (await service.api.get('/openapi.json')).body.paths['/v1/shipments'].get.responses[200];
  const [row] = valuesOf(content['text/csv'].example, columns);
  const [record] = recordsOf(content['application/jsonl'].example);
  const [shown] = (await service.api.get('/v1/shipments')).body as object[];
  expect(row).toEqual(valuesIn(record, columns));
  expect(Object.keys(record)).toEqual(Object.keys(shown ?? {}));
});
