import { readFileSync } from 'node:fs';
import { FIELDS, REQUIRED, REQUIRED_PARTS, type Kind } from '../../console/src/model/fields.js';
import { placesOf } from '../../console/src/model/places.js';
import { sentenceOfError } from '../../console/src/model/field-errors.js';
import { de } from '../../console/src/texts/de.js';
import { en } from '../../console/src/texts/en.js';
import { columnsOf, partsOf, storedIn } from '../../src/files/columns.js';
import { MOVE_FILES, MoveFields } from '../../src/moves/dto/move-fields.js';
import { MOVES } from '../../src/model/move.entity.js';
import { AGENTS } from '../../src/model/agent.entity.js';
import { AgentFields } from '../../src/shipments/agents/dto/agent-fields.js';
import { SHIPMENT_FILES, ShipmentFields } from '../../src/shipments/dto/shipment-fields.js';
import { SERVICES } from '../../src/model/service.entity.js';
import { ServiceFields } from '../../src/shipments/services/dto/service-fields.js';
import { SHIPMENTS } from '../../src/model/shipment.entity.js';
import { fieldsOf } from '../../src/validation/fields-of.js';
import { schemaOfProperty } from '../../src/validation/json-schema.decorator.js';
import type { FieldsType } from '../../src/validation/rules.js';
import type { Json } from '../support/http/api.js';
import { createAgent, createMove, createService, createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Fields that a place leaves out on purpose. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // The remarks of a move are for the office, not for the driver.
  waybill: ['move.remarks'],
  // A search looks for what people have at hand, not for instructions of up to 2,000 characters per service.
  search: ['service.description'],
};

interface WritableField {
  readonly kind: Kind;
  /** As in histories and conflicts: `destinationAddress/city`. */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly required: boolean;
  readonly maxLength: number | undefined;
  /** A text that a person writes, not a code or a date. */
  readonly isText: boolean;
}

const RESOURCES = {
  move: { fields: MoveFields, resource: MOVES, pages: ['MovePage', 'MoveFacts'] },
  shipment: { fields: ShipmentFields, resource: SHIPMENTS, pages: ['ShipmentPage', 'ShipmentFacts'] },
  agent: { fields: AgentFields, resource: AGENTS, pages: ['Children'] },
  service: { fields: ServiceFields, resource: SERVICES, pages: ['Children'] },
} as const;

function writableFields(kind: Kind, type: FieldsType<object>, parent = ''): WritableField[] {
  return fieldsOf(type).flatMap(({ name, part, required }) => {
    if (part !== undefined) return writableFields(kind, part, `${name}/`);
    const { type: json, maxLength, enum: options, format } = schemaOfProperty(type, name);
    const isText = json === 'string' && options === undefined && format === undefined;
    return [{ kind, path: parent + name, name, required, maxLength, isText }];
  });
}

const ALL = (Object.keys(RESOURCES) as Kind[]).flatMap((kind) => writableFields(kind, RESOURCES[kind].fields));

/** The fields that a place lacks. */
function lackingIn(place: string, has: (field: WritableField) => boolean, fields = ALL): string[] {
  const names = fields.filter((field) => !has(field)).map(({ kind, path }) => `${kind}.${path}`);
  return names.filter((name) => !LEFT_OUT[place]?.includes(name));
}

const source = (path: string) => readFileSync(`console/src/${path}`, 'utf8');
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

test('the entity has every field that can be written', () => {
  const has = ({ kind, path, name }: WritableField) => {
    const { entity } = RESOURCES[kind].resource;
    const owner = partsOf(entity).find((part) => path.startsWith(`${part.name}/`))?.type ?? entity;
    return storedIn(owner).some((column) => column.name === name);
  };
  expect(lackingIn('entity', has)).toEqual([]);
});

test('so do the bodies of specs', () => {
  const has = ({ kind, path }: WritableField) => {
    const [first = '', second] = path.split('/');
    const bodies = KINDS.filter(({ name }) => name === kind).map(({ full }) => full as Json);
    return bodies.some((body) =>
      second === undefined || first === 'pickupAddress' ? first in body : second in body[first],
    );
  };
  expect(lackingIn('records.ts', has)).toEqual([]);
});

test('the form of the console has every field, with its length and whether it is required', () => {
  const has = ({ kind, path, name, required, maxLength }: WritableField) => {
    const field = FIELDS[kind].find((one) => one.name === path);
    const isRequired = path.includes('/') ? REQUIRED_PARTS.includes(name) : REQUIRED[kind].includes(name);
    const isLimited = path.includes('/') || field?.longest === maxLength;
    return field !== undefined && isRequired === required && isLimited;
  };
  expect(lackingIn('form', has)).toEqual([]);
});

test.each([
  ['English', en],
  ['German', de],
])('every field has a label in %s', (_, { fields: { labels } }) => {
  expect(lackingIn('labels', ({ name }) => name in labels)).toEqual([]);
});

test('errors of the service name every field by its label', () => {
  const isWord = ({ name }: WritableField) => /^[a-z]+$/.test(name);
  const has = (field: WritableField) =>
    isWord(field) || !sentenceOfError(`is later than ${field.name}`).includes(field.name);
  expect(lackingIn('errors', has)).toEqual([]);
});

test('the page of a record shows every field', () => {
  const has = ({ kind, name }: WritableField) => {
    return RESOURCES[kind].pages.some((page) => mentions(source(`views/${page}.tsx`), name));
  };
  expect(lackingIn('page', has)).toEqual([]);
});

test('the printed waybill shows every field', () => {
  const sheet = source('print/Sheet.tsx');
  // Addresses are printed as on the page of the record.
  const has = ({ path, name }: WritableField) => mentions(sheet, path.includes('/') ? 'AddressLines' : name);
  expect(lackingIn('waybill', has)).toEqual([]);
});

test.each([
  ['shipments', SHIPMENT_FILES],
  ['moves', MOVE_FILES],
])('files of %s have every field', (name, kind) => {
  const paths = columnsOf(kind).map(({ path }) => path.replace('.', '/'));
  const own = ALL.filter((field) => `${field.kind}s` === name);
  expect(own).not.toEqual([]);
  expect(lackingIn('files', ({ path }) => paths.includes(path), own)).toEqual([]);
});

test('the client has every field', () => {
  const types = readFileSync('client/src/api.ts', 'utf8');
  expect(lackingIn('client', ({ name }) => new RegExp(`^ +${name}\\??: `, 'm').test(types))).toEqual([]);
});

describe('search', () => {
  const service = useService();
  const texts = ALL.filter(({ isText }) => isText);
  const wordOf = ({ kind, path }: WritableField) =>
    `word${texts.findIndex((one) => one.kind === kind && one.path === path)}x`;

  /** A body whose texts are words of their own. */
  function bodyOf(kind: Kind): Json {
    const body: Json = {};
    for (const field of texts.filter((one) => one.kind === kind)) {
      const [first = '', second] = field.path.split('/');
      if (second === undefined) body[first] = wordOf(field);
      else body[first] = { ...body[first], [second]: wordOf(field) };
    }
    return body;
  }

  test('finds a shipment by every text, and the console says where', async () => {
    const move = await createMove(service.api, bodyOf('move'));
    const shipment = await createShipment(service.api, { moveID: move.id, ...bodyOf('shipment') });
    await createAgent(service.api, bodyOf('agent'), shipment);
    await createService(service.api, bodyOf('service'), shipment);
    const { body: shown } = await service.api.get(`/v1/shipments/${shipment.id}?expand=move,agents,services`);
    const found = new Set<WritableField>();
    for (const field of texts) {
      const { body } = await service.api.get<Json[]>(`/v1/shipments?q=${wordOf(field)}`);
      if (body.some(({ id }) => id === shipment.id)) found.add(field);
    }
    expect(lackingIn('search', (field) => found.has(field), texts)).toEqual([]);
    expect(lackingIn('search', (field) => placesOf(shown as never, wordOf(field)).length > 0, texts)).toEqual([]);
  });
});

test('CONTRIBUTING.md lists the files that name the fields of shipments', () => {
  const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('## Add a field');
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path ?? '');
  expect(listed.length).toBeGreaterThan(8);
  const strangers = listed
    .filter((path) => !path.startsWith('migrations/'))
    .filter((path) => !mentions(readFileSync(path, 'utf8'), 'customerRemarks'));
  expect(strangers).toEqual([]);
});
