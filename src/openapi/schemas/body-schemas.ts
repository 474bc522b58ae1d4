import { modeOf, type BodyRule } from '../../fields/fields.decorator.js';
import { fieldsOf, type Field } from '../../fields/fields-of.js';
import type { FieldsType } from '../../fields/rules.js';
import { shapeOf } from '../../fields/shape.js';
import { nullable, type Schema } from '../../schema/json-schema.js';
import type { Components, Ref } from '../components.js';
import { fieldText } from '../texts/fields.js';
import { schemaText } from '../texts/schemas.js';

/** A body creates, replaces, merges, or is an order of its own. */
type Use = 'New' | 'Replacement' | 'Patch' | 'Order';

/** The schemas of what clients send, made from the rules that check it. */
export class BodySchemas {
  constructor(
    private readonly components: Components,
    /** The schema of a field of a record, for what may be echoed. */
    private readonly fieldOfRecord: (record: string, field: string) => Schema,
  ) {}

  of(rule: BodyRule, method: string): Ref {
    return this.body(rule.type, useOf(rule, method));
  }

  private body(type: FieldsType<object>, use: Use): Ref {
    const record = recordName(type);
    const name = schemaName(record, use);
    return this.components.schema(name, () => {
      const fields = fieldsOf(type);
      const properties = Object.fromEntries(fields.map((field) => [field.name, this.field(type, field, use)]));
      const required = fields
        .map((field) => field.name)
        .filter((field) => shapeOf(type.prototype as object, field).required);
      const { description, example } = schemaText(name);
      return {
        type: 'object',
        description,
        ...(use !== 'Patch' && required.length > 0 && { required }),
        properties: { ...properties, ...this.echoes(type, use) },
        additionalProperties: false,
        ...(example && { examples: [example] }),
      };
    });
  }

  private field(type: FieldsType<object>, { name, part }: Field, use: Use): Schema {
    const { schema = {}, required, notes = [] } = shapeOf(type.prototype as object, name);
    const { description } = fieldText(recordName(type), name);
    const own = part === undefined ? schema : this.body(part, use);
    const demands = notes.map((note) => ` It ${note}.`);
    return { ...(required ? own : nullable(own)), description: [description, ...new Set(demands)].join('') };
  }

  /** What the server sets may be sent back as it was read, so that a record can be read, edited and sent. */
  private echoes(type: FieldsType<object>, use: Use): Record<string, Schema> {
    if (use !== 'Replacement' && use !== 'Patch') return {};
    const record = recordName(type);
    return Object.fromEntries(
      type.readOnly.map((name) => {
        const { examples: _, ...schema } = this.fieldOfRecord(record, name);
        const description = 'Set by the server: leave it out, or send it as you read it.';
        return [name, { ...schema, description }];
      }),
    );
  }
}

function useOf(rule: BodyRule, method: string): Use {
  if (rule.mode !== undefined) return 'Order';
  if (method === 'POST') return 'New';
  return modeOf(rule, method) === 'merge' ? 'Patch' : 'Replacement';
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
