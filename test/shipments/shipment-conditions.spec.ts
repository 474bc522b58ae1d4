import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const ADDRESS = `'0199c3a0-0000-7000-8000-000000000000', '1 Main Street', NULL, NULL, 'Springfield', 'IL', '62701', NULL`;
const PARTS = [
  'id',
  'street_address1',
  'street_address2',
  'street_address3',
  'city',
  'state',
  'postal_code',
  'country',
];
const set = (address: string, values: string) => `(${PARTS.map((part) => `${address}_${part}`).join()}) = (${values})`;

/** Changes of a shipment that violate one condition each, and changes that come close. */
const CHANGES: readonly (readonly [change: string, violated: string | undefined])[] = [
  [`shipment_type = ''`, 'shipments_shipment_type_check'],
  [`shipment_type = ' '`, undefined],
  [`status = 'LOST'`, 'shipments_status_check'],
  [`status = 'DELIVERED'`, undefined],
  [`status = 'REJECTED'`, 'shipments_rejection_reason_check'],
  [`rejection_reason = 'late'`, 'shipments_rejection_reason_check'],
  [`status = 'REJECTED', rejection_reason = ''`, undefined],
  [`pickup_date = '2026-03-02', delivery_date = '2026-03-01'`, 'shipments_dates_check'],
  [`pickup_date = '2026-03-01', delivery_date = '2026-03-01'`, undefined],
  [`pickup_date = '2026-03-02', delivery_date = NULL`, undefined],
  [`pickup_date = NULL, delivery_date = '2026-03-02'`, undefined],
  ...['estimated_weight', 'actual_weight'].flatMap((weight) => [
    ...['0', '-1', '1000001'].map((value) => [`${weight} = ${value}`, `shipments_${weight}_check`] as const),
    ...['1', '1000000', 'NULL'].map((value) => [`${weight} = ${value}`, undefined] as const),
  ]),
  ...['pickup_address', 'destination_address'].flatMap((address) => {
    const violated = `shipments_${address}_check`;
    const required = ['id', 'street_address1', 'city', 'state', 'postal_code'];
    const optional = ['street_address2', 'street_address3', 'country'];
    return [
      [set(address, ADDRESS), undefined] as const,
      [set(address, PARTS.map(() => 'NULL').join()), undefined] as const,
      ...required.map((part) => [`${set(address, ADDRESS)}; ${address}_${part} = NULL`, violated] as const),
      ...optional.map((part) => [`${address}_${part} = 'x'`, violated] as const),
      ...optional.map((part) => [`${set(address, ADDRESS)}; ${address}_${part} = 'x'`, undefined] as const),
    ];
  }),
];

/** The constraint that a statement violates. */
async function violationBy(text: string, values: readonly unknown[] = []): Promise<string | undefined> {
  try {
    await service.sql.query(text, [...values]);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: '23514', schema: 'public', table: 'shipments' });
    return (error as { constraint?: string }).constraint;
  }
}

test.each(CHANGES)('%s violates %s', async (change, violated) => {
  const { id } = await createShipment(service.api);
  const steps = change.split('; ');
  for (const step of steps.slice(0, -1)) await service.sql.query(`UPDATE shipments SET ${step} WHERE id = $1`, [id]);
  expect(await violationBy(`UPDATE shipments SET ${steps.at(-1)} WHERE id = $1`, [id])).toBe(violated);
});

test.each([
  ['P9DS53-1', 'shipments_shipment_code_check'],
  ['P9DS53-00', 'shipments_shipment_code_check'],
  ['P9DS5O-01', 'shipments_shipment_code_check'],
  ['P9DS53-01', undefined],
  ['P9DS53-1234567890', undefined],
])('a new shipment with the code %s violates %s', async (code, violated) => {
  const { moveID } = await createShipment(service.api);
  const insert = `
    INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status)
    VALUES (gen_random_uuid(), $1, $2, 'HHG', 'SUBMITTED')`;
  expect(await violationBy(insert, [code, moveID])).toBe(violated);
});

test('shipments have no constraint that PostgreSQL parses for each statement', async () => {
  const { rows } = await service.sql.query(
    `SELECT conname FROM pg_constraint WHERE conrelid = 'shipments'::regclass AND contype = 'c'`,
  );
  expect(rows).toEqual([]);
});
