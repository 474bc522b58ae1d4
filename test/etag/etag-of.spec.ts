import { eTagOf } from '../../src/etag/entity-tags.js';
import { isoOf } from '../../src/records/moments.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('the service and PostgreSQL derive the same eTag from a moment', async () => {
  const { rows } = await service.sql.query<{ moment: string; iso: string; eTag: string }>(`
    SELECT to_json(moment AT TIME ZONE 'UTC')::text AS moment, iso_ms(moment) AS iso, etag_of(moment) AS "eTag"
    FROM (
      SELECT ('epoch'::timestamptz + (random() * 4e9 - 2e9)::int * interval '1 second' + ms * interval '1 millisecond')::timestamptz(3)
      FROM generate_series(0, 999) ms
      UNION ALL VALUES
        (timestamptz '0001-01-01Z'), (timestamptz '0044-03-15 12:00:00.12Z BC'), (timestamptz '9999-12-31 23:59:59.999Z'),
        (timestamptz '10000-01-01 00:00:00.1Z'), (timestamptz '294276-12-31 23:59:59.99Z')
    ) moments (moment)`);
  expect(rows.length).toBe(1005);
  expect(rows.map(({ moment }) => isoOf(moment))).toEqual(rows.map(({ iso }) => iso));
  expect(rows.map(({ iso }) => eTagOf(iso))).toEqual(rows.map(({ eTag }) => eTag));
});

test.each(['"infinity"', '"01.03.2026 09:30:00.123"', '"2026-03-01 09:30:00"', '"2026-03-01T09:30:00.123456"', ''])(
  '%s is not mistaken for a moment',
  (text) => expect(() => isoOf(text)).toThrow('Not a timestamp'),
);
