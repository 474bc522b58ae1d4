import { EXAMPLE_ETAG } from '../../schema/json-schema.js';

export const EXAMPLE_ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';
export const EXAMPLE_SHIPMENT = `/v1/shipments/${EXAMPLE_ID}`;

/** What a client sends to change exactly the version it read. */
export const EXAMPLE_IF_MATCH = `"${EXAMPLE_ETAG}"`;
