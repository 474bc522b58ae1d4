// Not through PgBouncer: it checks functions and answers that no connection affects.
import fc from 'fast-check';
import { walk } from '../support/http/paging.js';
import { insertFamilies } from '../support/database/rows.js';
import { repetitions, shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

// The same values each time, so that this spec says the same about the same sources.
fc.configureGlobal({ seed: 20_261_115 });

/** Characters that mean something in a URL, in a Link header or in SQL, and such as must be encoded. */
const TROUBLESOME = [...'?&#+%=;,/:<>"\'\\@!$()*[]{}|^`~ ', '%3F', '%26', '%', '??', 'é', '😀', '雪', 'a', 'B', '7'];

const value = fc
  .array(fc.constantFrom(...TROUBLESOME), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

/** Encodes only what a query must encode: its separators, the percent sign, and everything but printable ASCII. */
function encodedAsLittleAsPossible(text: string): string {
  return text.replaceAll(/[%&#+ ]|[^\x21-\x7e]+/gu, encodeURIComponent);
}

const ENCODINGS: [string, (text: string) => string][] = [
  ['everything encoded', encodeURIComponent],
  ['as little encoded as possible', encodedAsLittleAsPossible],
  ['blanks written as +', (text) => encodedAsLittleAsPossible(text).replaceAll('%20', '+')],
  ['every byte encoded', (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')],
];

async function idsBy(table: string, column: string, text: string): Promise<string[]> {
  const { rows } = await service.sql.query<{ id: string }>(`SELECT id FROM ${table} WHERE ${column} = $1`, [text]);
  return rows.map(({ id }) => id).sort();
}

/** Moves and shipments with the value, and with what a careless reader of the query could take it for. */
async function createAround(text: string): Promise<void> {
  const mistaken = [text.split('?')[0], text.split('&')[0], text.replaceAll('+', ' '), `${text}x`];
  await insertFamilies(service.sql, 3, text);
  for (const each of mistaken) if (each !== undefined && each !== '') await insertFamilies(service.sql, 1, each);
}

const EXAMPLES = ['a?b', '??', 'a&limit=2', '%3Fa', 'a+b c', '#?&=%'];

test.each([
  ['/v1/moves', 'orderID', 'moves', 'order_id', 'updatedSince=1999-12-31T23:59:59.999999%2B15:59'],
  [
    '/v1/shipments',
    'shipmentType',
    'shipments',
    'shipment_type',
    'status=SUBMITTED&status=APPROVED&expand=move,agents&sort=-deliveryDate',
  ],
])('all pages of %s together are what the query asks for, whatever %s is', async (path, field, table, column, more) => {
  await fc.assert(
    fc.asyncProperty(value, fc.nat(1), async (text, place) => {
      await createAround(text);
      const expected = await idsBy(table, column, text);
      expect(expected.length).toBeGreaterThan(1);
      for (const [, encode] of shareOf(ENCODINGS, place, 2)) {
        for (const query of [`${field}=${encode(text)}&limit=1`, `${more}&limit=2&${field}=${encode(text)}`]) {
          const pages = await walk(service.api, `${path}?${query}`);
          const ids = pages.flat().map(({ id }) => id as string);
          expect([query, [...ids].sort()]).toEqual([query, expected]);
        }
      }
    }),
    { numRuns: repetitions(12, 8), examples: EXAMPLES.map((text, index) => [text, index % 2]) },
  );
});
