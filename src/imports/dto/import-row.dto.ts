import { valueAt } from '../../history/changes.js';
import type { AttributedChange } from '../../history/history.js';
import { shortPostalCode } from '../../model/postal-codes.js';
import type { NamedSchema } from '../../openapi/response.js';
import { FIELD_PATH } from '../../openapi/schemas/history-entry.js';
import { EXAMPLE_ID } from '../../openapi/examples.js';
import type { FieldError } from '../../problem/problem.js';
import { NumberedPagingQuery } from '../../records/paging.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import {
  ETAG,
  EXAMPLE_ETAG,
  nullable,
  objectSchema,
  TIMESTAMP,
  UUID,
  type Properties,
  type Schema,
} from '../../validation/json-schema.js';
import { ListOf, OneOf } from '../../validation/rules.js';
import { DATE_ORDERS, DECIMALS } from '../reading/notations.js';
import type { Ambiguity } from '../reformatted-cells.js';
import { OUTCOMES, writtenBy, type ImportRow, type Outcome, type StoredProblem } from '../import-row.js';

export class ImportRowsQuery extends NumberedPagingQuery {
  @JsonSchema({
    description: 'Only rows with this outcome. To match several, repeat the parameter or separate values with commas.',
    examples: ['refused'],
  })
  @ListOf()
  @OneOf(OUTCOMES)
  outcome?: Outcome[];
}

export const LINE: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'The line on which the row begins.',
};

export const FAULT = {
  column: {
    type: ['string', 'null'],
    description: 'The column with the fault; null for a fault of the whole row.',
  },
  code: { type: 'string', description: 'Machine-readable constant; `CONFLICT` if others changed the field.' },
  message: { type: 'string', description: 'Human-readable text that completes the sentence "<column> ...".' },
} as const satisfies Properties;

const WARNING = {
  column: { type: 'string', description: 'The column with the value.' },
  code: { type: 'string', description: '`SHORT_POSTAL_CODE`: it has fewer digits than postal codes of its country.' },
  message: FAULT.message,
} as const satisfies Properties;

/** What a fault with the code `AMBIGUOUS` has besides. */
export const AMBIGUITY = {
  cell: { type: 'string', description: 'The cell as in the file. Only with the code `AMBIGUOUS`.' },
  readings: {
    type: 'array',
    description: 'What the cell may mean, with the parameter that says so. Only with the code `AMBIGUOUS`.',
    items: {
      type: 'object',
      required: ['value'],
      properties: {
        dates: { type: 'string', enum: DATE_ORDERS },
        decimal: { type: 'string', enum: DECIMALS },
        value: { type: ['string', 'number'], description: 'The date or the number.' },
      },
    },
  },
} as const satisfies Properties;

const CHANGE: Schema = {
  type: 'object',
  required: ['field', 'from', 'to'],
  properties: {
    field: FIELD_PATH,
    from: { description: 'The value in the version that the row names; null if there is none.' },
    to: { description: 'The value that the row writes, or keeps in an address; null clears the field.' },
    current: { description: 'The current value. Present if others have set another value.' },
    changedBy: { type: 'string', description: 'Who set that value, if known.' },
    changedAt: { ...TIMESTAMP, description: 'When it was set. Present if `changedBy` is.' },
  },
};

const ROW: Schema = {
  ...objectSchema(
    'The planned or actual outcome of one row of a file.',
    {
      line: LINE,
      outcome: { type: 'string', enum: OUTCOMES, description: '`create` and `change` are pending.' },
      resourceID: { ...nullable(UUID), description: 'The shipment; null until it is created.' },
      eTag: {
        ...nullable(ETAG),
        description: 'The version of the shipment that the row names; null if it names none, as a new shipment.',
      },
      merged: {
        type: 'boolean',
        description: 'Whether others have changed other fields since the version of the row. Their changes are kept.',
      },
      changes: {
        type: 'array',
        description:
          'The fields that the row writes. An address is one value: if others have changed other fields of it, these are listed too.',
        items: CHANGE,
      },
      code: {
        type: ['string', 'null'],
        description: 'The code of the problem if the row was refused; otherwise null.',
      },
      detail: { type: ['string', 'null'], description: 'Human-readable explanation of the problem.' },
      faults: {
        type: 'array',
        description: 'All faults of the row.',
        items: { type: 'object', required: Object.keys(FAULT), properties: { ...FAULT, ...AMBIGUITY } },
      },
      warnings: {
        type: 'array',
        description: 'Values that the row writes and that are probably wrong. They do not keep it from being written.',
        items: { type: 'object', required: Object.keys(WARNING), properties: WARNING },
      },
    },
    {
      shipmentCode: {
        type: 'string',
        description: 'The code of the shipment. Absent while the shipment does not exist.',
      },
      erased: {
        type: 'boolean',
        const: true,
        description:
          'Present if the values of the row were erased. It can no longer be written and is not in the result file.',
      },
    },
  ),
  examples: [
    {
      line: 2,
      outcome: 'change',
      resourceID: EXAMPLE_ID,
      shipmentCode: 'K7RM4W-02',
      eTag: EXAMPLE_ETAG,
      merged: false,
      changes: [{ field: 'deliveryDate', from: '2026-04-15', to: '2026-04-18' }],
      code: null,
      detail: null,
      faults: [],
      warnings: [],
    },
  ],
};

export const IMPORT_ROW: NamedSchema = { name: 'ImportRow', schema: () => ROW };

type ReportedChange = AttributedChange & { readonly conflicting: boolean };

export function shownRow(row: ImportRow): object {
  const { line, outcome, recordID, shipmentCode, eTag, body, base, problem, current } = row;
  const conflicts = conflictsIn(problem);
  // A row that changes a field of an address means the whole address. Its other fields are in the way if others have changed them.
  const written = writtenBy(body ?? {});
  const kept = conflicts.flatMap(({ field, base: to }) => (written.has(field) ? [] : [[field, to] as const]));
  const changes = [...written, ...kept].map(([field, to]) => {
    const conflict = conflicts.find((one) => one.field === field);
    const { changedBy, changedAt } = conflict ?? {};
    const theirs = conflict && current && { current: valueAt(current, field), changedBy, changedAt };
    return { field, from: base?.[field] ?? null, to, ...theirs };
  });
  return {
    line,
    outcome,
    resourceID: recordID,
    ...(shipmentCode != null && { shipmentCode }),
    eTag,
    merged: outcome !== 'refused' && current !== null,
    changes,
    code: problem?.code ?? null,
    detail: problem?.detail ?? null,
    faults: faultsOf(problem),
    warnings: warningsOf(row, written),
    ...(row.erased && { erased: true }),
  };
}

/** Followed by who and when, if known. An erasure finds the name by these words. */
export const CHANGED_BY_OTHERS = 'was changed to another value';

/** New postal codes that lack digits. */
function warningsOf({ base }: ImportRow, written: ReadonlyMap<string, unknown>): object[] {
  return [...written].flatMap(([field, value]) => {
    const [part = '', member] = field.split('/');
    if (member !== 'postalCode' || typeof value !== 'string') return [];
    const place = `${part}/country`;
    const country = (written.has(place) ? written.get(place) : base?.[place]) as string | null | undefined;
    const message = shortPostalCode(value, country ?? null);
    return message === undefined ? [] : [{ column: columnAt(`/${field}`), code: 'SHORT_POSTAL_CODE', message }];
  });
}

interface Fault extends Partial<Ambiguity> {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

export function faultsOf(problem: StoredProblem | null): readonly Fault[] {
  if (problem === null) return [];
  const { code, detail, members } = problem;
  const { errors } = members as { errors?: readonly (FieldError & Partial<Ambiguity>)[] };
  if (errors !== undefined) {
    return errors.map(({ pointer, ...error }) => ({ column: columnAt(pointer), ...error }));
  }
  const conflicts = conflictsIn(problem);
  if (conflicts.length === 0) return [{ column: COLUMN_OF[code] ?? null, code, message: detail }];
  return conflicts.map(({ field, changedBy, changedAt }) => {
    const who = changedBy === undefined ? '' : ` by ${changedBy} at ${String(changedAt)}`;
    return { column: columnAt(`/${field}`), code: 'CONFLICT', message: CHANGED_BY_OTHERS + who };
  });
}

/** The fields that the row writes, or keeps in an address that it writes, and to which others have assigned another value. */
export function conflictsIn(problem: StoredProblem | null): readonly ReportedChange[] {
  const { changes = [] } = (problem?.members ?? {}) as { changes?: readonly ReportedChange[] };
  return changes.filter(({ conflicting }) => conflicting);
}

const COLUMN_OF: Readonly<Record<string, string>> = {
  NOT_FOUND: 'id',
  PRECONDITION_REQUIRED: 'eTag',
  PRECONDITION_FAILED: 'eTag',
};

/** Converts `/destinationAddress/city` to the column `destinationAddress.city`. */
export function columnAt(pointer: string): string | null {
  return pointer === '' ? null : pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}
