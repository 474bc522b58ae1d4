import { MOVE_CODE, MOVES } from '../model/move.entity.js';
import { cursorOn, Limit } from '../records/paging.js';
import { NameOf } from '../records/resource.js';
import { isTimestamp } from '../validation/dates.js';
import { inAnyCase, isUUID, UUID } from '../validation/json-schema.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { ListOf, OneOf, Text, textRule, Timestamp } from '../validation/rules.js';
import { RESTORABLE } from '../model/resources.js';

const MAX_AUTHOR_LENGTH = 255;

/** A moveCode, or a shipmentCode, which begins with one. */
const CODE = new RegExp(`${inAnyCase(MOVE_CODE.source).slice(0, -1)}(-(0[1-9]|[1-9][0-9]{1,9}))?$`);

/** The time and the position of a deletion. */
function isPosition(text: string): boolean {
  const [time = '', position = '', ...others] = text.split(' ');
  return others.length === 0 && isTimestamp(time) && /^[1-9]\d{0,17}$/.test(position);
}

export class DeletionListQuery {
  @Limit()
  limit?: number;

  @cursorOn(isPosition)
  cursor?: string;

  @JsonSchema({
    description:
      'Only deletions of this kind of record. To match several, repeat the parameter or separate values with commas.',
    examples: ['shipment'],
  })
  @ListOf()
  @OneOf(RESTORABLE.map(({ name }) => name))
  resource?: string[];

  @JsonSchema({ ...UUID, description: 'Only the deletion of this record.', examples: [MOVES.exampleID] })
  @textRule('INVALID_ID', 'must be the id of a record', isUUID)
  resourceID?: string;

  @JsonSchema({
    description: 'Only deletions of this move, by its id or its moveCode, of its shipments and of their children.',
    examples: [MOVES.exampleID],
  })
  @NameOf(MOVES)
  moveID?: string;

  @JsonSchema({
    type: 'string',
    pattern: CODE.source,
    description: 'Only the deletion of the move or the shipment with this code.',
    examples: ['P9DS53-02'],
  })
  @textRule('INVALID_CODE', 'must be a moveCode or a shipmentCode', (text) => CODE.test(text))
  code?: string;

  @JsonSchema({
    description: 'Only deletions by this author: a name as in `deletedBy`, or the subject of a token.',
    examples: ['dispatcher-7'],
  })
  @Text(MAX_AUTHOR_LENGTH)
  deletedBy?: string;

  @JsonSchema({ description: 'Only deletions at or after this time.', examples: ['2026-01-31T12:00:00Z'] })
  @Timestamp()
  deletedSince?: string;
}
