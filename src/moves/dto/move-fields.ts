import { Text } from '../../fields/rules.js';
import { ORDER_ID_LENGTH, REMARKS_LENGTH } from '../move.entity.js';

export class MoveFields {
  static readonly record = 'a move';
  static readonly readOnly = ['id', 'moveCode', 'createdAt', 'updatedAt', 'eTag'];

  @Text(ORDER_ID_LENGTH, { blank: true })
  orderID!: string | null;

  @Text(REMARKS_LENGTH, { blank: true, lines: true })
  remarks!: string | null;
}
