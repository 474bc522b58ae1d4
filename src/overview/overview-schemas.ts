import type { NamedSchema } from '../openapi/response.js';
import { STATUSES } from '../model/shipment-status.js';
import { objectSchema, TIMESTAMP, type Schema } from '../validation/json-schema.js';
import { MAX_COUNT, MAX_COUNT_OF_DAY } from './overview-sql.js';

const DAY: Schema = { type: 'string', format: 'date' };

const COUNT_MEMBERS: Readonly<Record<string, Schema>> = {
  count: { type: 'integer', minimum: 0, description: 'How many shipments there are; exact unless `more` is true.' },
  more: { type: 'boolean', description: 'Whether there are more shipments than `count`, which were not counted.' },
  list: { type: 'string', description: 'The request that lists them.', examples: ['/v1/shipments?status=SUBMITTED'] },
};

function count(description: string): Schema {
  return objectSchema(description, COUNT_MEMBERS);
}

function both(description: string, pickups: string, deliveries: string): Schema {
  return objectSchema(description, { pickups: count(pickups), deliveries: count(deliveries) });
}

export const OVERVIEW: NamedSchema = {
  name: 'Overview',
  schema: () =>
    objectSchema('What is due, and how many shipments there are.', {
      today: { ...DAY, description: 'The day that counts as today.' },
      from: { ...DAY, description: 'The first of `days`.' },
      to: { ...DAY, description: 'The last of `days`.' },
      countedAt: { ...TIMESTAMP, description: 'When the shipments were counted. All numbers are from one snapshot.' },
      overdue: both(
        'Planned before today and not done.',
        'Not picked up: `SUBMITTED` or `APPROVED`, with a `pickupDate` before today.',
        'Not delivered, rejected or canceled, with a `deliveryDate` before today.',
      ),
      dueToday: both('The same for today.', 'To be picked up today.', 'To be delivered today.'),
      waitingForApproval: count('Shipments that are `SUBMITTED`.'),
      byStatus: {
        type: 'array',
        description: 'All shipments by status.',
        items: objectSchema('The shipments with one status.', {
          status: { type: 'string', enum: STATUSES, 'x-extensible': true, description: 'The status.' },
          ...COUNT_MEMBERS,
        }),
      },
      days: {
        type: 'array',
        description: 'What is planned for each day, without rejected and canceled shipments.',
        items: objectSchema('What is planned for one day.', {
          date: { ...DAY, description: 'The day.' },
          pickups: count('Shipments with this `pickupDate`.'),
          deliveries: count('Shipments with this `deliveryDate`.'),
        }),
      },
    }),
};

export const OVERVIEW_TEXT = `For a landing page. Each number comes with the request that lists its shipments. Numbers are exact up to ${MAX_COUNT.toLocaleString('en')}, those of one day up to ${MAX_COUNT_OF_DAY.toLocaleString('en')}; beyond that \`more\` is true.`;
