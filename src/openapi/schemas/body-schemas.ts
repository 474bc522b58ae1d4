import type { BodyRule } from '../../writes/write-rule.js';
import { fieldsOf, type Field } from '../../validation/fields-of.js';
import { schemaOfClass, schemaOfProperty } from '../../validation/json-schema.decorator.js';
import { nullable, SENT_UUID, type Schema } from '../../validation/json-schema.js';
import type { BodyUse, FieldsType } from '../../validation/rules.js';
import type { Components, Ref } from '../components.js';

/** A body creates, replaces or merges a record, or is an order of its own. */
type Use = BodyRule['use'];

/** The schemas of what clients send, made from the rules that check it. */
export class BodySchemas {
  constructor(
    private readonly components: Components,
    /** The schema of a field of a record, whose words are also those of the body, and for what may be echoed. */
    private readonly fieldOfRecord: (record: string, field: string) => Schema,
  ) {}

  of({ type, use }: BodyRule): Ref {
    return this.body(type, use);
  }

  private body(type: FieldsType<object>, use: Use): Ref {
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
    const own = part === undefined ? keywords : this.body(part, use);
    const description = keywords.description ?? this.fieldOfRecord(recordName(type), name).description ?? '';
    return { ...(required ? own : nullable(own)), description };
  }

  /** What the server sets may be sent back as it was read, so that a record can be read, edited and sent. */
  private echoes(type: FieldsType<object>, use: Use): Record<string, Schema> {
    if (use !== 'Replacement' && use !== 'Patch') return {};
    const record = recordName(type);
    return Object.fromEntries(
      type.readOnly.map((name) => {
        const { examples: _, ...schema } = this.fieldOfRecord(record, name);
        const description = 'Set by the server: leave it out, or send it as you read it.';
        return [name, { ...schema, ...(schema.format === 'uuid' && SENT_UUID), description }];
      }),
    );
  }
}

function aboutBody(type: FieldsType<object>, use: Use): Schema {
  if (use === 'Order') return schemaOfClass(type);
  const { record, examples } = type;
  const hasParts = fieldsOf(type).some(({ part }) => part !== undefined);
  const descriptions: Record<BodyUse, string> = {
    New: `Creates ${record}.`,
    Replacement: `Replaces ${record}: what is left out becomes null.`,
    Patch: `Changes fields of ${record} (RFC 7396): what is left out stays as it is, null clears.${hasParts ? ' An object merges; where there was none, it must be complete.' : ''}`,
  };
  return { description: descriptions[use], ...(examples && { examples: [examples[use]] }) };
}

/** NewShipmentFields and ShipmentFields are both about a Shipment. */
function recordName(type: FieldsType<object>): string {
  return type.name.replace(/^New/, '').replace(/Fields$/, '');
}

function schemaName(record: string, use: Use): string {
  switch (use) {
    case 'New':
      return `New${record}`;
    case 'Order':
      return record;
    default:
      return record + use;
  }
}
