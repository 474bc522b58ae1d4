import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { EmbeddedMetadata } from 'typeorm/metadata/EmbeddedMetadata.js';
import { MAX_EXPANDED, MAX_EXPANDED_IN_LIST } from '../../records/expansion.js';
import { nextName, type Relation, type Resource } from '../../records/resource.js';
import { schemaOfClass, schemaOfProperty } from '../../validation/json-schema.decorator.js';
import { nullable, objectSchema, TIMESTAMP, UUID, type Schema } from '../../validation/json-schema.js';
import type { Components, Ref } from '../components.js';
import type { RecordType } from '../response.js';

/** Schemas of records in responses, derived from their columns and @JsonSchema decorators. */
export class RecordSchemas {
  constructor(
    private readonly components: Components,
    private readonly resources: readonly Resource[],
    private readonly relations: readonly Relation[],
    private readonly metadataOf: (resource: Resource) => EntityMetadata,
  ) {}

  /** The schema with this name: a resource or a part of one. */
  named(name: string): Ref {
    const resource = this.resources.find(({ entity }) => entity.name === name);
    if (resource !== undefined) return this.ofResource(resource);
    for (const { embeddeds } of this.resources.map(this.metadataOf)) {
      const part = embeddeds.find(({ type }) => (type as RecordType).name === name);
      if (part !== undefined) return this.ofPart(part);
    }
    throw new Error(`Unknown record ${name}`);
  }

  /** A top-level field of a record. */
  field(name: string, field: string): Schema {
    const schema = this.components.get(this.named(name)).properties?.[field];
    if (schema === undefined) throw new Error(`${name} has no field ${field}`);
    return schema;
  }

  private ofResource(resource: Resource): Ref {
    const { entity, exampleID, live = {} } = resource;
    return this.components.schema(entity.name, () => {
      const { ownColumns, embeddeds } = this.metadataOf(resource);
      const { id, createdAt = {}, updatedAt = {}, ...own } = columnSchemas(entity, ownColumns);
      const properties = {
        id: { ...id, examples: [exampleID] },
        ...own,
        ...Object.fromEntries(embeddeds.map((part) => [part.propertyName, this.part(entity, part)])),
        createdAt,
        updatedAt,
        eTag: described(entity, 'eTag'),
        ...Object.fromEntries(Object.keys(live).map((name) => [name, described(entity, name)])),
      };
      return objectSchema(descriptionOf(entity), properties, this.expansions(resource));
    });
  }

  private ofPart({ type, columns }: EmbeddedMetadata): Ref {
    const part = type as RecordType;
    return this.components.schema(part.name, () => {
      const properties = { ...columnSchemas(part, columns), eTag: described(part, 'eTag') };
      return objectSchema(descriptionOf(part), properties);
    });
  }

  private part(entity: RecordType, part: EmbeddedMetadata): Schema {
    return { ...nullable(this.ofPart(part)), ...described(entity, part.propertyName) };
  }

  private expansions(resource: Resource): Record<string, Schema> {
    const own = this.relations.filter((relation) => relation.of === resource);
    return Object.assign({}, ...own.map((relation) => this.expansion(relation))) as Record<string, Schema>;
  }

  private expansion(relation: Relation): Record<string, Schema> {
    const { name, to, list } = relation;
    const description = `Present only with \`expand=${name}\`.`;
    if (list === undefined) return { [name]: { ...this.ofResource(to), description } };
    const next = nextName(relation);
    const bound = `The newest ${MAX_EXPANDED} at most; in a list, at most ${MAX_EXPANDED_IN_LIST} divided by its \`limit\`. \`${next}\` links to the rest.`;
    return {
      [name]: {
        type: 'array',
        items: this.ofResource(to),
        maxItems: MAX_EXPANDED,
        description: `${description} ${bound}`,
      },
      [next]: {
        ...nullable({ type: 'string', format: 'uri-reference' }),
        description: `${description} Link to the remaining \`${name}\`; null if all are included.`,
      },
    };
  }
}

function descriptionOf(type: RecordType): string {
  const { description } = schemaOfClass(type);
  if (description === undefined) throw new Error(`Describe ${type.name} with @JsonSchema`);
  return description;
}

/** The keywords of a property; throws if it has no description, so that a new one is not forgotten. */
function described(type: RecordType, property: string): Schema {
  const keywords = schemaOfProperty(type, property);
  if (keywords.description === undefined) throw new Error(`Describe ${type.name}.${property} with @JsonSchema`);
  return keywords;
}

function columnSchemas(type: RecordType, columns: readonly ColumnMetadata[]): Record<string, Schema> {
  return Object.fromEntries(
    columns.map((column) => {
      const keywords = described(type, column.propertyName);
      const value = valueSchema(column);
      const schema: Schema = { ...(column.isArray ? { type: 'array', items: value } : value), ...keywords };
      // A column whose schema declares a type is never null in a response, even if the table allows it.
      const canBeNull = column.isNullable && keywords.type === undefined;
      return [column.propertyName, canBeNull ? nullable(schema) : schema];
    }),
  );
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  uuid: UUID,
  date: { type: 'string', format: 'date' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  timestamptz: TIMESTAMP,
};

function valueSchema({ type, length, propertyPath }: ColumnMetadata): Schema {
  const schema = type === 'varchar' ? ({ type: 'string', maxLength: Number(length) } as const) : SCHEMAS[String(type)];
  if (schema === undefined) throw new Error(`No JSON schema for column type ${String(type)} (${propertyPath})`);
  return schema;
}
