import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { EmbeddedMetadata } from 'typeorm/metadata/EmbeddedMetadata.js';
import type { Relation, Resource } from '../../records/resource.js';
import { ETAG, nullable, TIMESTAMP, UUID, type Schema } from '../../schema/json-schema.js';
import type { Components, Ref } from '../components.js';
import { fieldText } from '../texts/fields.js';
import { schemaText } from '../texts/schemas.js';
import { COLUMN_ADDITIONS, isAlwaysThere } from './column-additions.js';

/** The schemas of records as the API shows them, made from the columns they are stored in. */
export class RecordSchemas {
  constructor(
    private readonly components: Components,
    private readonly resources: readonly Resource[],
    private readonly relations: readonly Relation[],
    private readonly metadataOf: (resource: Resource) => EntityMetadata,
  ) {}

  /** By the name of a schema: a resource's, or that of a part of one. */
  named(name: string): Ref {
    const resource = this.resources.find((candidate) => schemaName(candidate) === name);
    if (resource !== undefined) return this.ofResource(resource);
    for (const { embeddeds } of this.resources.map(this.metadataOf)) {
      const part = embeddeds.find(({ type }) => typeName(type) === name);
      if (part !== undefined) return this.ofPart(part);
    }
    throw new Error(`There is no record named ${name}`);
  }

  /** One field of a record, which stands at the top of its schema. */
  field(name: string, field: string): Schema {
    const schema = this.components.get(this.named(name)).properties?.[field];
    if (schema === undefined) throw new Error(`${name} has no field ${field}`);
    return schema;
  }

  private ofResource(resource: Resource): Ref {
    const name = schemaName(resource);
    return this.components.schema(name, () => {
      const { ownColumns, embeddeds } = this.metadataOf(resource);
      const [first, last] = [ownColumns.filter(isFirst), ownColumns.filter(isLast)];
      const own = ownColumns.filter((column) => !isFirst(column) && !isLast(column));
      const properties = {
        ...this.columns(name, [...first, ...own]),
        ...Object.fromEntries(embeddeds.map((part) => [part.propertyName, this.part(name, part)])),
        ...this.columns(name, last),
        eTag: described(name, 'eTag', ETAG),
      };
      const required = Object.keys(properties);
      return { ...object(name), required, properties: { ...properties, ...this.expansions(resource) } };
    });
  }

  private ofPart({ type, columns }: EmbeddedMetadata): Ref {
    const name = typeName(type);
    return this.components.schema(name, () => {
      const properties = { ...this.columns(name, columns), eTag: described(name, 'eTag', ETAG) };
      return { ...object(name), required: Object.keys(properties), properties };
    });
  }

  private columns(name: string, columns: readonly ColumnMetadata[]): Record<string, Schema> {
    return Object.fromEntries(
      columns.map((column) => {
        const field = column.propertyName;
        const schema = { ...columnSchema(column), ...COLUMN_ADDITIONS[`${name}.${field}`] };
        const canBeNull = column.isNullable && !isAlwaysThere(name, field);
        return [field, described(name, field, canBeNull ? nullable(schema) : schema)];
      }),
    );
  }

  private part(name: string, part: EmbeddedMetadata): Schema {
    const { description } = fieldText(name, part.propertyName);
    return { ...nullable(this.ofPart(part)), description };
  }

  private expansions(resource: Resource): Record<string, Schema> {
    const own = this.relations.filter((relation) => relation.of === resource);
    return Object.fromEntries(
      own.map((relation) => {
        const description = `Only there with \`expand=${relation.name}\`.`;
        if ('one' in relation) return [relation.name, { ...this.ofResource(relation.one), description }];
        return [relation.name, { type: 'array', items: this.ofResource(relation.many), description } satisfies Schema];
      }),
    );
  }
}

export function schemaName({ name }: Resource): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function typeName(type: string | (new () => object) | unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}

const isFirst = ({ propertyName }: ColumnMetadata) => propertyName === 'id';
const isLast = ({ propertyName }: ColumnMetadata) => ['createdAt', 'updatedAt'].includes(propertyName);

function object(name: string): Schema {
  return { type: 'object', description: schemaText(name).description };
}

function described(name: string, field: string, schema: Schema): Schema {
  const { description, example } = fieldText(name, field);
  return { ...schema, description, ...(example !== undefined && { examples: [example] }) };
}

function columnSchema({ type, length, propertyPath }: ColumnMetadata): Schema {
  switch (type) {
    case 'uuid':
      return UUID;
    case 'varchar':
      return { type: 'string', maxLength: Number(length) };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'integer':
      return { type: 'integer' };
    case 'timestamptz':
      return TIMESTAMP;
    default:
      throw new Error(`Say how a column of type ${String(type)} looks in JSON (${propertyPath})`);
  }
}
