import type { EntityMetadata } from 'typeorm';
import { RecordSql } from './record-sql.js';
import type { Relation, Resource } from './resource.js';

/** The SQL of all kinds of records, by resource. */
export class RecordSqls {
  private readonly byResource = new Map<Resource, RecordSql>();

  constructor(
    metadataOf: (resource: Resource) => EntityMetadata,
    private readonly relations: readonly Relation[],
    resources: readonly Resource[],
  ) {
    for (const resource of resources) {
      const expansion = (name: string, alias: string) => this.expansion(resource, name, alias);
      this.byResource.set(resource, new RecordSql(resource, metadataOf(resource), expansion));
    }
  }

  of(resource: Resource): RecordSql {
    const sql = this.byResource.get(resource);
    if (sql === undefined) throw new Error(`The resource ${resource.name} is not registered`);
    return sql;
  }

  private expansion(resource: Resource, name: string, alias: string): string {
    const relation = this.relations.find((candidate) => candidate.of === resource && candidate.name === name);
    if (relation === undefined) throw new Error(`A ${resource.name} cannot be expanded by ${name}`);
    return 'many' in relation
      ? this.of(relation.many).many(alias, relation.by)
      : this.of(relation.one).one(alias, this.of(resource).column(relation.by));
  }
}
