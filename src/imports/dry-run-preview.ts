import type { ExtendedRecord } from '../openapi/response.js';
import type { ImportRow } from './import-row.js';
import type { Ambiguity } from './reformatted-cells.js';
import { AMBIGUITY, FAULT, faultsOf, LINE, shownRow } from './dto/import-row.dto.js';

/** The response to an upload lists at most this many faults, and this many rows that write something. */
const MAX_SHOWN = 20;

const MAX_AMBIGUOUS = 3;

interface AmbiguousCell extends Ambiguity {
  readonly line: number;
  readonly column: string | null;
}

/** The preview in the response to an upload: first ambiguous cells, first faults and first changes. */
export class DryRunPreview {
  private readonly firstFaults: object[] = [];
  private readonly firstChanges: object[] = [];
  readonly ambiguousCells: AmbiguousCell[] = [];

  add(row: ImportRow): void {
    const { line, outcome, problem } = row;
    if (problem !== null) {
      const faults = faultsOf(problem).map((fault) => ({ line, ...fault }));
      this.firstFaults.push(...faults.slice(0, MAX_SHOWN - this.firstFaults.length));
      for (const { cell, readings, column, line: at } of faults) {
        if (cell !== undefined && readings !== undefined) this.addAmbiguous({ line: at, column, cell, readings });
      }
    } else if (outcome !== 'unchanged' && this.firstChanges.length < MAX_SHOWN) {
      this.firstChanges.push(shownRow(row));
    }
  }

  /** Keeps the first ones, but at least one of a date and one of a number, if there are both. */
  private addAmbiguous(cell: AmbiguousCell): void {
    const cells = this.ambiguousCells;
    if (cells.length < MAX_AMBIGUOUS) cells.push(cell);
    else if (!cells.some((each) => isDate(each) === isDate(cell))) cells.splice(-1, 1, cell);
  }
}

function isDate({ readings }: AmbiguousCell): boolean {
  return readings.some((reading) => 'dates' in reading);
}

/** The response to an upload: the import with the members of `DryRunPreview`. */
export const DRY_RUN: ExtendedRecord = {
  name: 'DryRun',
  description: 'The result of a dry run: counts of rows by outcome, the first faults and the first changes.',
  properties: {
    ambiguousCells: {
      type: 'array',
      maxItems: MAX_AMBIGUOUS,
      description: `The first changed cells with several readings, at most ${MAX_AMBIGUOUS}, among them at least one date and one number if there are both. The state is \`ambiguous\` if there are any; their rows are refused, with the code \`AMBIGUOUS\`.`,
      items: {
        type: 'object',
        required: ['line', 'column', ...Object.keys(AMBIGUITY)],
        properties: { line: LINE, column: FAULT.column, ...AMBIGUITY },
      },
      examples: [[]],
    },
    firstFaults: {
      type: 'array',
      maxItems: MAX_SHOWN,
      description: `The first faults of refused rows: at most ${MAX_SHOWN}, in file order. \`refused\` counts the rows, and \`/rows?outcome=refused\` lists all of them.`,
      items: {
        type: 'object',
        required: ['line', ...Object.keys(FAULT)],
        properties: { line: LINE, ...FAULT, ...AMBIGUITY },
      },
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
