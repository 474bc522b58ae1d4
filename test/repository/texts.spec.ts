import type { Json } from '../support/http/api.js';
import { expectInvalid } from '../support/http/problem.js';
import { ADDRESS, createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** A text as it is stored wherever the field is, and what to send to get there. */
interface TextField {
  readonly kind: string;
  readonly field: string;
  readonly longest: number;
}

const FIELDS: TextField[] = [
  { kind: 'move', field: 'orderID', longest: 64 },
  { kind: 'move', field: 'remarks', longest: 2000 },
  { kind: 'shipment', field: 'shipmentType', longest: 64 },
  { kind: 'shipment', field: 'customerRemarks', longest: 2000 },
  { kind: 'agent', field: 'firstName', longest: 100 },
  { kind: 'agent', field: 'lastName', longest: 100 },
  { kind: 'agent', field: 'email', longest: 254 },
  { kind: 'agent', field: 'phone', longest: 32 },
  { kind: 'service', field: 'code', longest: 32 },
  { kind: 'service', field: 'description', longest: 2000 },
];

async function changeText({ kind, field }: TextField, text: string): Promise<Json> {
  const { path, create } = KINDS.find(({ name }) => name === kind) ?? fail(kind);
  const { id, eTag } = await create(service.api);
  const answer = await service.api.patch(`${path}/${id}`, eTag, { [field]: text });
  return { ...answer, reread: (await service.api.get(`${path}/${id}`)).body[field] };
}

function fail(kind: string): never {
  throw new Error(`There is no kind ${kind}`);
}

describe.each(FIELDS)('$field of a $kind', (at) => {
  test(`200 with ${at.longest} characters, 422 with one more`, async () => {
    const longest = 'x'.repeat(at.longest);
    expect(await changeText(at, longest)).toMatchObject({ status: 200, reread: longest });
    expect(expectInvalid(await changeText(at, `${longest}x`))).toEqual([`/${at.field} TOO_LONG`]);
  });

  test('a character outside of the basic plane counts as one', async () => {
    const trucks = '🚚'.repeat(at.longest);
    expect(await changeText(at, trucks)).toMatchObject({ status: 200, reread: trucks });
  });

  test.each([
    ['a decomposed and a composed letter', 'e\u0301 \u00e9'],
    ['blanks around', '  a  '],
    ['quotes, backslashes and SQL', `'";\\ DROP TABLE moves;--`],
    ['right-to-left text', 'שלום'],
    ['markup', '<b>&amp;</b>'],
    ['other Unicode spaces', '\u00a0a\u2009b'],
  ])('%s are stored exactly as sent', async (_, text) => {
    const answer = await changeText(at, text);
    expect(answer).toMatchObject({ status: 200, body: { [at.field]: text }, reread: text });
  });

  test.each([
    ['U+0000', 'a\u0000b'],
    ['a control character', 'a\u001bb'],
    ['half of a surrogate pair', 'a\ud83d'],
  ])('422 with %s', async (_, text) => {
    expect(expectInvalid(await changeText(at, text))).toEqual([`/${at.field} FORBIDDEN_CHARACTER`]);
  });
});

test.each(FIELDS.filter(({ longest }) => longest === 2000))('$field of a $kind may have several lines', async (at) => {
  const lines = 'one\n\ttwo\r\nthree';
  expect(await changeText(at, lines)).toMatchObject({ status: 200, reread: lines });
});

test.each([
  ['streetAddress1', 255],
  ['streetAddress2', 255],
  ['streetAddress3', 255],
  ['city', 100],
  ['state', 64],
  ['postalCode', 20],
  ['country', 64],
])('201 with %s of %i characters in an address, 422 with one more', async (field, longest) => {
  const text = 'x'.repeat(longest);
  const { pickupAddress } = await createShipment(service.api, { pickupAddress: { ...ADDRESS, [field]: text } });
  expect(pickupAddress[field]).toBe(text);
  const answer = await service.api.post('/v1/shipments', {
    shipmentType: 'HHG',
    pickupAddress: { ...ADDRESS, [field]: `${text}x` },
  });
  expect(expectInvalid(answer)).toEqual([`/pickupAddress/${field} TOO_LONG`]);
});
