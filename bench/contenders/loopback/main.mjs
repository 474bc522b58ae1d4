// LoopBack 4 as its generators write it: a model, a transactional repository, a controller with OpenAPI metadata.
// It knows no ETag, takes no lock, and answers PATCH with 204. Decorators are applied by hand, for this file is not compiled.
import { randomInt } from 'node:crypto';
import {
  DefaultTransactionalRepository,
  Entity,
  juggler,
  ModelDefinition,
  repository,
  RepositoryMixin,
} from '@loopback/repository';
import { get, getModelSchemaRef, HttpErrors, param, patch, post, requestBody, RestApplication } from '@loopback/rest';
import { v7 as uuidv7 } from 'uuid';

const ADDRESS_FIELDS = ['streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'postalCode', 'country'];
const ADDRESSES = ['pickupAddress', 'destinationAddress'];

function column(name, type, options = {}) {
  const columnName = name.replace(/([a-z0-9])([A-Z]+)/g, '$1_$2').toLowerCase();
  return { name, type, ...options, postgresql: { columnName, ...options.postgresql } };
}

function modelOf(name, table, columns) {
  const properties = Object.fromEntries(columns.map((definition) => [definition.name, definition]));
  return new ModelDefinition({ name, properties, settings: { strict: true, postgresql: { schema: 'public', table } } });
}

const nullable = { jsonSchema: { nullable: true } };
const id = column('id', 'string', { id: true, postgresql: { dataType: 'uuid' } });
const timestamps = [column('createdAt', 'date'), column('updatedAt', 'date')];

class Move extends Entity {}
Move.definition = modelOf('Move', 'moves', [id, column('moveCode', 'string'), ...timestamps]);

/** The addresses are columns of their shipment, which the model shows as objects. */
class Shipment extends Entity {
  toJSON() {
    const json = super.toJSON();
    for (const name of ADDRESSES) {
      const address = { id: json[`${name}Id`] };
      delete json[`${name}Id`];
      for (const field of ADDRESS_FIELDS) {
        address[field] = json[flat(name, field)];
        delete json[flat(name, field)];
      }
      json[name] = address.id ? address : null;
    }
    return json;
  }
}
Shipment.definition = modelOf('Shipment', 'shipments', [
  id,
  column('moveID', 'string', { postgresql: { dataType: 'uuid' } }),
  column('shipmentType', 'string', { required: true }),
  column('status', 'string'),
  column('rejectionReason', 'string', nullable),
  column('pickupDate', 'string', { ...nullable, postgresql: { dataType: 'date' } }),
  column('deliveryDate', 'string', { ...nullable, postgresql: { dataType: 'date' } }),
  column('estimatedWeight', 'number', nullable),
  column('actualWeight', 'number', nullable),
  column('customerRemarks', 'string', nullable),
  ...timestamps,
  ...ADDRESSES.flatMap((name) => [
    column(`${name}Id`, 'string', { ...nullable, postgresql: { dataType: 'uuid' } }),
    ...ADDRESS_FIELDS.map((field) => column(flat(name, field), 'string', nullable)),
  ]),
]);

function flat(address, field) {
  return `${address}${field[0].toUpperCase()}${field.slice(1)}`;
}

class MoveRepository extends DefaultTransactionalRepository {
  constructor(dataSource) {
    super(Move, dataSource);
  }
}

class ShipmentRepository extends DefaultTransactionalRepository {
  constructor(dataSource) {
    super(Shipment, dataSource);
  }
}

class ShipmentsController {
  constructor(shipments, moves) {
    this.shipments = shipments;
    this.moves = moves;
  }

  find(limit = 50) {
    return this.shipments.find({ order: ['id DESC'], limit });
  }

  findById(shipmentID) {
    return this.shipments.findById(knownID(shipmentID));
  }

  async updateById(shipmentID, changes) {
    await this.shipments.updateById(knownID(shipmentID), changes);
  }

  async create({ pickupAddress, destinationAddress, ...fields }) {
    const transaction = await this.shipments.beginTransaction();
    try {
      const move = await this.moves.create({ id: uuidv7(), moveCode: moveCode() }, { transaction });
      const addresses = {
        ...flattened('pickupAddress', pickupAddress),
        ...flattened('destinationAddress', destinationAddress),
      };
      const shipment = { ...fields, ...addresses, id: uuidv7(), moveID: move.id, status: 'SUBMITTED' };
      const created = await this.shipments.create(shipment, { transaction });
      await transaction.commit();
      return created;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }
}

function flattened(name, address) {
  if (!address) return {};
  const fields = Object.entries(address).map(([field, value]) => [flat(name, field), value]);
  return { [`${name}Id`]: uuidv7(), ...Object.fromEntries(fields) };
}

function knownID(shipmentID) {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(shipmentID)) return shipmentID;
  throw new HttpErrors.NotFound();
}

function moveCode() {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

const addressSchema = {
  type: 'object',
  required: ['streetAddress1', 'city', 'state', 'postalCode'],
  properties: Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, { type: 'string', nullable: true }])),
  additionalProperties: false,
};
const writable = ['shipmentType', 'pickupDate', 'deliveryDate', 'estimatedWeight', 'actualWeight', 'customerRemarks'];
const exclude = Object.keys(Shipment.definition.properties).filter((name) => !writable.includes(name));
const changesSchema = getModelSchemaRef(Shipment, { partial: true, exclude });
const newSchema = {
  type: 'object',
  required: ['shipmentType'],
  properties: {
    shipmentType: { type: 'string', minLength: 1, maxLength: 64 },
    pickupDate: { type: 'string', format: 'date' },
    deliveryDate: { type: 'string', format: 'date' },
    estimatedWeight: { type: 'integer', minimum: 1 },
    actualWeight: { type: 'integer', minimum: 1 },
    customerRemarks: { type: 'string', maxLength: 2000 },
    pickupAddress: addressSchema,
    destinationAddress: addressSchema,
  },
  additionalProperties: false,
};

const json = (schema) => ({ content: { 'application/json': { schema } } });
const answers = (status) => ({ responses: { [status]: { description: 'OK' } } });

function decorate(method, operation, ...parameters) {
  const { prototype } = ShipmentsController;
  parameters.forEach((parameter, index) => parameter(prototype, method, index));
  operation(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

repository(ShipmentRepository)(ShipmentsController, undefined, 0);
repository(MoveRepository)(ShipmentsController, undefined, 1);
decorate('find', get('/v1/shipments', answers(200)), param.query.integer('limit'));
decorate('findById', get('/v1/shipments/{id}', answers(200)), param.path.string('id'));
decorate(
  'updateById',
  patch('/v1/shipments/{id}', answers(204)),
  param.path.string('id'),
  requestBody(json(changesSchema)),
);
decorate('create', post('/v1/shipments', answers(201)), requestBody(json(newSchema)));

class Application extends RepositoryMixin(RestApplication) {}

const dataSource = new juggler.DataSource({
  name: 'db',
  connector: 'postgresql',
  url: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
});
const app = new Application({
  rest: { port: Number(process.env.PORT), host: '127.0.0.1', openApiSpec: { disabled: true } },
});
app.dataSource(dataSource);
app.bind('repositories.ShipmentRepository').to(new ShipmentRepository(dataSource));
app.bind('repositories.MoveRepository').to(new MoveRepository(dataSource));
app.controller(ShipmentsController);
await app.start();
