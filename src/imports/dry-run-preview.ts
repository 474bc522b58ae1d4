import type { ExtendedRecord } from '../openapi/operation.js';
import type { ImportRow } from './import-row.js';
import { FAULT, faultsOf, LINE, shownRow } from './dto/import-row.dto.js';

/** The response to an upload lists at most this many faults, and this many rows that write something. */
const MAX_SHOWN = 20;

/** The preview in the response to an upload: first faults and first changes. */
export class DryRunPreview {
  private readonly firstFaults: object[] = [];
  private readonly firstChanges: object[] = [];

  add(row: ImportRow): void {
    const { line, outcome, problem } = row;
    if (problem !== null) {
      const faults = faultsOf(problem).slice(0, MAX_SHOWN - this.firstFaults.length);
      this.firstFaults.push(...faults.map((fault) => ({ line, ...fault })));
    } else if (outcome !== 'unchanged' && this.firstChanges.length < MAX_SHOWN) {
      this.firstChanges.push(shownRow(row));
    }
  }
}

/** The response to an upload: the import with the members of `DryRunPreview`. */
export const DRY_RUN: ExtendedRecord = {
  name: 'DryRun',
  description: 'The result of a dry run: counts of rows by outcome, the first faults and the first changes.',
  properties: {
    firstFaults: {
      type: 'array',
      maxItems: MAX_SHOWN,
      description: `The first faults of refused rows: at most ${MAX_SHOWN}, in file order. \`refused\` counts the rows, and \`/rows?outcome=refused\` lists all of them.`,
      items: { type: 'object', required: ['line', ...Object.keys(FAULT)], properties: { line: LINE, ...FAULT } },
      examples: [[{ line: 4, column: 'shipmentType', code: 'REQUIRED', message: 'is required' }]],
    },
    firstChanges: {
      type: 'array',
      maxItems: MAX_SHOWN,
      description: `The first rows that create or change a shipment, at most ${MAX_SHOWN}. \`toCreate\` and \`toChange\` count them, and \`/rows?outcome=create,change\` lists all of them.`,
      items: { $ref: '#/components/schemas/ImportRow' },
    },
  },
};
