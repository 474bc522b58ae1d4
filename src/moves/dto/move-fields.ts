import type { FileKind } from '../../files/columns.js';
import { Text } from '../../validation/rules.js';
import { MOVES, ORDER_ID_LENGTH, REMARKS_LENGTH } from '../../model/move.entity.js';

export class MoveFields {
  static readonly record = 'a move';
  static readonly readOnly = ['id', 'moveCode', 'createdAt', 'updatedAt', 'eTag'];
  static readonly codes = ['moveCode'];
  static readonly examples = {
    New: { orderID: 'ORD-2026-0042', remarks: 'Third floor, no lift.' },
    Replacement: { orderID: 'ORD-2026-0043', remarks: null },
    Patch: { remarks: 'The lift works again.' },
  };

  @Text(ORDER_ID_LENGTH, { blank: true })
  orderID!: string | null;

  @Text(REMARKS_LENGTH, { blank: true, lines: true })
  remarks!: string | null;
}

export const MOVE_FILES: FileKind = { resource: MOVES, fields: MoveFields };
