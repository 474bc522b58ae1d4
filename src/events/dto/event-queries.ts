import { eventTypesOf } from '../../history/change-types.js';
import { MOVES } from '../../model/move.entity.js';
import { isNameOf, NameOf, nameSchema } from '../../records/resource.js';
import { ALL_RESOURCES } from '../../model/resources.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { ListOf, OneOf, textRule, WholeNumber } from '../../validation/rules.js';
import { SHIPMENTS } from '../../model/shipment.entity.js';
import { readCursor } from '../cursor.js';

export const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_WAIT_SECONDS = 30;

const SEVERAL = 'To match several, repeat the parameter or separate values with commas.';

/** The parameters of both the feed and the stream. */
export class EventStreamQuery {
  @JsonSchema({
    type: 'string',
    pattern: '^(now|[A-Za-z0-9_-]{1,64})$',
    description:
      'Start after the event with this `id`, or after a cursor from an earlier page or a bookmark of a stream; `now` for new events only. Default: the oldest available event.',
    examples: ['now'],
  })
  @textRule(
    'INVALID_CURSOR',
    'must be the id of an event, a cursor from the Link header of an earlier page, or now; omit it to start at the oldest event',
    (text) => text === 'now' || readCursor(text) !== undefined,
  )
  after?: string;

  @JsonSchema({ description: `Only events of this type. ${SEVERAL}`, examples: ['shipment.statusChanged'] })
  @ListOf()
  @OneOf(eventTypesOf(ALL_RESOURCES))
  type?: string[];

  @JsonSchema({ description: `Only events of this kind of record. ${SEVERAL}`, examples: ['shipment'] })
  @ListOf()
  @OneOf(ALL_RESOURCES.map(({ name }) => name))
  resource?: string[];

  @JsonSchema({
    ...nameSchema(SHIPMENTS),
    description:
      'Only events of this record and, if it is a shipment, of its children. An id, or the code of a shipment.',
    examples: [SHIPMENTS.exampleID],
  })
  @textRule('INVALID_ID', 'must be the id of a record or a shipmentCode', (text) => isNameOf(SHIPMENTS, text))
  resourceID?: string;

  @JsonSchema({
    description: 'Only events of this move, by its id or its moveCode, of its shipments and of their children.',
    examples: [MOVES.exampleID],
  })
  @NameOf(MOVES)
  moveID?: string;
}

export class EventListQuery extends EventStreamQuery {
  @JsonSchema({ description: 'Maximum number of events per page.', default: DEFAULT_LIMIT, examples: [DEFAULT_LIMIT] })
  @WholeNumber(1, MAX_LIMIT)
  limit?: number;

  @JsonSchema({
    description: 'How many seconds to wait for an event if there is none yet.',
    default: 0,
    examples: [25],
  })
  @WholeNumber(0, MAX_WAIT_SECONDS)
  wait?: number;
}
