import { applyDecorators } from '@nestjs/common';
import { readCursor } from '../../events/cursor.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { rule, textRule } from '../../validation/rules.js';

function EventID(description: string): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description }),
    rule('WRONG_TYPE', 'must be a string', (value) => typeof value === 'string'),
    textRule('INVALID_CURSOR', 'must be the id of an event or a cursor of the feed', (text) => {
      return readCursor(text) !== undefined;
    }),
  );
}

@JsonSchema({ description: 'The events to send again.', examples: [{ after: null, until: null }] })
export class Replay {
  static readonly record = 'a replay';
  static readonly readOnly: readonly string[] = [];

  @EventID('Events after this one; null for the oldest.')
  after!: string | null;

  @EventID('Events up to this one; null for the newest that was sent.')
  until!: string | null;
}
