import { ApiDocument } from '../../src/openapi/api-document.js';
import { Api, type Json } from '../support/http/api.js';
import { Conformance } from '../support/records/conformance.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const ITEM = '/v1/shipments/{shipmentID}';

/** A client that holds the answers against a document that is wrong in one point. */
function clientOf(wrong: (document: Json) => unknown): Api {
  const document = JSON.parse(JSON.stringify(service.app.get(ApiDocument).document));
  wrong(document);
  return new Api(service.url, new Conformance(document));
}

type Attempt = (api: Api) => Promise<unknown>;
const read: Attempt = async (api) => api.get(`/v1/shipments/${(await createShipment(service.api)).id}`);
const create: Attempt = (api) => api.post('/v1/shipments', { shipmentType: 'HHG', estimatedWeight: 7 });
const unknown: Attempt = (api) => api.get('/v1/nothing');

test.each<[fault: string, wrong: (document: Json) => unknown, attempt: Attempt]>([
  ['has no status 200', ({ paths }) => delete paths[ITEM].get.responses['200'], read],
  ['has no status 200 for GET', ({ paths }) => delete paths[ITEM], read],
  ['the header etag', ({ paths }) => delete paths[ITEM].get.responses['200'].headers.ETag, read],
  [
    'no header location',
    ({ paths }) => (paths[ITEM].get.responses['200'].headers.Location = { required: true, schema: {} }),
    read,
  ],
  [
    'the content type application/json',
    ({ paths }) => (paths[ITEM].get.responses['200'].content = { 'text/csv': {} }),
    read,
  ],
  ['a body of type application/json', ({ paths }) => delete paths[ITEM].get.responses['200'].content, read],
  [
    'must NOT have additional properties',
    ({ components }) => delete components.schemas.Shipment.properties.status,
    read,
  ],
  [
    "must have required property 'colour'",
    ({ components }) => components.schemas.Shipment.required.push('colour'),
    read,
  ],
  ['must be integer', ({ components }) => (components.schemas.Shipment.properties.status.type = 'integer'), read],
  [
    'must be equal to one of the allowed values',
    ({ components }) => (components.schemas.Shipment.properties.status.enum = ['LOST']),
    read,
  ],
  ['must match pattern', ({ components }) => (components.schemas.Shipment.properties.eTag.pattern = '^x$'), read],
  [
    'accepted, though its body',
    ({ components }) => delete components.schemas.NewShipment.properties.estimatedWeight,
    create,
  ],
  ['the code NOT_FOUND', ({ components }) => delete components.schemas.NotFoundProblem, unknown],
  [
    'must NOT have additional properties',
    ({ components }) => delete components.schemas.NotFoundProblem.properties.instance,
    unknown,
  ],
])('a test fails with "%s" when the document is wrong', async (fault, wrong, attempt) => {
  await expect(attempt(clientOf(wrong))).rejects.toThrow(fault);
});
