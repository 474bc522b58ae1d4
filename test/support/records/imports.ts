import { csvLines } from '../../../src/files/csv.js';
import { FILE_TYPES, type FileFormat } from '../../../src/http/media-types.js';
import type { Answer, Api, Json } from '../http/api.js';
import { createShipment } from './records.js';
import { eventually } from '../races/eventually.js';

export const CSV = { 'Content-Type': 'text/csv' };
export const JSON_LINES = { 'Content-Type': 'application/jsonl' };

const PATIENCE_MS = 60_000;

/** A CSV file with these columns and rows. */
export function csvOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return csvLines([columns, ...rows.map((row) => row.map((value) => (value === null ? '' : String(value as number))))]);
}

export function upload(api: Api, file: string | Uint8Array<ArrayBuffer>, headers: object = {}): Promise<Answer<Json>> {
  return api.post('/v1/imports', file, { ...CSV, ...headers });
}

/** Uploads a well-formed file. */
export async function imported(api: Api, file: string | Uint8Array<ArrayBuffer>, headers?: object): Promise<Json> {
  const { status, body } = await upload(api, file, headers);
  if (status !== 201) throw new Error(`POST /v1/imports answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** An import whose only row, in line 2, conflicts with a change by others. */
export async function conflictingImport(api: Api, values: Json = {}): Promise<Json> {
  const { id, eTag } = await createShipment(api, { customerRemarks: 'before', ...values });
  await api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'theirs' });
  const ready = await imported(api, csvOf(['id', 'eTag', 'customerRemarks'], [[id, eTag, 'mine']]));
  expect(ready).toMatchObject({ refused: 1 });
  return ready;
}

/** Applies an import and waits until it is done. */
export async function applied(api: Api, { id }: Json): Promise<Json> {
  const { status, body } = await api.send('POST', `/v1/imports/${id}/apply`);
  if (status !== 202) throw new Error(`apply answered ${status}: ${JSON.stringify(body)}`);
  return untilApplied(api, id);
}

export async function untilApplied(api: Api, id: string): Promise<Json> {
  let body: Json;
  const isDone = async () => {
    ({ body } = await api.get(`/v1/imports/${id}`));
    return body.state === 'applied';
  };
  await eventually(isDone, PATIENCE_MS, 'the import is applied');
  return body;
}

export async function rowsOf(api: Api, { id }: Json, query = ''): Promise<Json[]> {
  return (await api.get(`/v1/imports/${id}/rows?limit=200${query}`)).body;
}

/** The result file as text; it has the format of the import. */
export async function resultOf(url: string, { id, format }: Json, query = ''): Promise<string> {
  const response = await fetch(`${url}/v1/imports/${id}/result${query}`);
  const type = FILE_TYPES[format as FileFormat];
  expect([response.status, response.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, type]);
  expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="import-${id}.${format}"`);
  // `text` would remove a byte order mark.
  return Buffer.from(await response.arrayBuffer()).toString();
}
