import { SHIPMENTS } from '../model/shipment.entity.js';
import type { ApiTexts } from '../openapi/api-texts.js';
import { cursorOf } from '../records/paging.js';
import { INTRODUCTION } from './introduction.js';
import { problemExample } from './problem-types.js';

/** What the API document says of moves and shipments. */
export const TEXTS: ApiTexts = {
  summary: 'Moves and shipments, with updates that never overwrite each other.',
  introduction: INTRODUCTION,
  headers: {
    Location: `${SHIPMENTS.path}/${SHIPMENTS.exampleID}`,
    Link: `<${SHIPMENTS.path}?limit=50&cursor=${cursorOf(`-createdAt ${SHIPMENTS.exampleID}`)}>; rel="next"`,
    'Content-Disposition': 'attachment; filename="shipments-2026-04-01.csv"',
  },
  problemExample,
};
