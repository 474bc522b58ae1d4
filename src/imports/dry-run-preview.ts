import type { ExtendedRecord } from '../openapi/operation.js';
import { FAULT, LINE } from './import-schemas.js';
import type { ImportRow } from './import-row.js';
import { faultsOf, shownRow } from './dto/import-row.dto.js';

/** The answer to an upload shows at most so many faults, and so many rows that write something. */
const MAX_SHOWN = 20;

/** What the answer to an upload shows of its rows, so that whoever sent the file sees at once what is wrong and what it would do. */
export class DryRunPreview {
  private readonly firstFaults: object[] = [];
  private readonly firstChanges: object[] = [];

  add(row: ImportRow): void {
    const { line, outcome, problem } = row;
    if (problem !== null) {
      const left = MAX_SHOWN - this.firstFaults.length;
      if (left > 0)
        this.firstFaults.push(
          ...faultsOf(problem)
            .slice(0, left)
            .map((fault) => ({ line, ...fault })),
        );
    } else if (outcome !== 'unchanged' && this.firstChanges.length < MAX_SHOWN) {
      this.firstChanges.push(shownRow(row));
    }
  }
}

/** The answer to an upload: the import, and the members of `DryRunPreview`. */
export const DRY_RUN: ExtendedRecord = {
  name: 'DryRun',
  description: 'What a file would do: how many of its rows do what, the first faults and the first changes.',
  properties: {
    firstFaults: {
      type: 'array',
      maxItems: MAX_SHOWN,
      description: `What is wrong with the first rows that are refused: at most ${MAX_SHOWN} faults, in the order of the file. \`refused\` counts the rows, and \`/rows?outcome=refused\` has them all.`,
      items: { type: 'object', required: ['line', ...Object.keys(FAULT)], properties: { line: LINE, ...FAULT } },
      examples: [[{ line: 4, column: 'shipmentType', code: 'REQUIRED', message: 'is required' }]],
    },
    firstChanges: {
      type: 'array',
      maxItems: MAX_SHOWN,
      description: `The first rows that create or change a shipment, at most ${MAX_SHOWN}. \`toCreate\` and \`toChange\` count them, and \`/rows?outcome=create,change\` has them all.`,
      items: { $ref: '#/components/schemas/ImportRow' },
    },
  },
};
