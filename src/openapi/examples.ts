import { cursorOf } from '../records/paging.js';
import { EXAMPLE_ETAG } from '../validation/json-schema.js';

export const EXAMPLE_ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';

export const EXAMPLE_CURSOR = cursorOf('41.9c1185a5c5e9fc54');

export const EXAMPLE_PREVIOUS_ETAG = '9b2d1f0c6e58a4737d40b1c2f3e6a59488d7c06b5a1e2f394c8d7b6a5f4e3d21';

export const EXAMPLE_IF_MATCH = `"${EXAMPLE_ETAG}"`;
