import type { BodyRule } from '../../writes/write-rule.js';
import { fieldsOf, type Field } from '../../validation/fields-of.js';
import { schemaOfClass, schemaOfProperty } from '../../validation/json-schema.decorator.js';
import { inAnyCase, nullable, SENT_UUID, type Schema } from '../../validation/json-schema.js';
import type { BodyUse, FieldsType } from '../../validation/rules.js';
import type { Components, Ref } from '../components.js';
import type { RecordSchemas } from './record-schemas.js';

/** A body creates, replaces or merges a record, or is a command. */
type Use = BodyRule['use'];

/** Schemas of request bodies, derived from their validation rules. */
export class BodySchemas {
  constructor(
    private readonly components: Components,
    /** Their descriptions of fields are reused, also for read-only fields. */
    private readonly records: RecordSchemas,
  ) {}

  of({ type, use }: Pick<BodyRule, 'type' | 'use'>): Ref {
    const record = recordName(type);
    return this.components.schema(schemaName(record, use), () => {
      const fields = fieldsOf(type);
      const properties = Object.fromEntries(fields.map((field) => [field.name, this.field(type, field, use)]));
      const required = fields.filter((field) => field.required).map(({ name }) => name);
      return {
        type: 'object',
        ...aboutBody(type, use),
        ...(use !== 'Patch' && required.length > 0 && { required }),
        properties: { ...properties, ...this.echoes(type, use) },
        additionalProperties: false,
      };
    });
  }

  private field(type: FieldsType<object>, { name, part, required }: Field, use: Use): Schema {
    const keywords = schemaOfProperty(type, name);
    const own = part === undefined ? keywords : this.of({ type: part, use });
    const description = keywords.description ?? this.records.field(recordName(type), name).description ?? '';
    return { ...(required ? own : nullable(own)), description };
  }

  /** Read-only fields may be sent back unchanged, so that a client can read, edit and send a record. */
  private echoes(type: FieldsType<object>, use: Use): Record<string, Schema> {
    if (use !== 'Replacement' && use !== 'Patch') return {};
    const record = recordName(type);
    return Object.fromEntries(
      type.readOnly.map((name) => {
        const { examples: _, ...schema } = this.records.field(record, name);
        const description = 'Set by the server: omit it, or send it back unchanged.';
        const isCode = type.codes?.includes(name) === true;
        const sent = {
          ...(schema.format === 'uuid' && SENT_UUID),
          ...(isCode && { pattern: inAnyCase(schema.pattern ?? '') }),
        };
        return [name, { ...schema, ...sent, description }];
      }),
    );
  }
}

function aboutBody(type: FieldsType<object>, use: Use): Schema {
  if (use === 'Command') return schemaOfClass(type);
  const { record, examples } = type;
  const hasParts = fieldsOf(type).some(({ part }) => part !== undefined);
  const descriptions: Record<BodyUse, string> = {
    New: `Creates ${record}.`,
    Replacement: `Replaces ${record}: omitted fields become null.`,
    Patch: `Changes fields of ${record} (RFC 7396): omitted fields keep their value, null clears them.${hasParts ? ' A nested object is merged; a new one must be complete.' : ''}`,
  };
  return { description: descriptions[use], ...(examples && { examples: [examples[use]] }) };
}

/** NewShipmentFields and ShipmentFields both describe a Shipment. */
function recordName(type: FieldsType<object>): string {
  return type.name.replace(/^New/, '').replace(/Fields$/, '');
}

function schemaName(record: string, use: Use): string {
  if (use === 'New') return `New${record}`;
  return use === 'Command' ? record : record + use;
}
