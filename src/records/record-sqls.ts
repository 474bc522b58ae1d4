import type { EntityMetadata } from 'typeorm';
import type { Expansion } from './record-json.js';
import { RecordSql } from './record-sql.js';
import { nextName, type Relation, type Resource } from './resource.js';

export class RecordSqls {
  private readonly byResource = new Map<Resource, RecordSql>();

  constructor(
    metadataOf: (resource: Resource) => EntityMetadata,
    private readonly relations: readonly Relation[],
    resources: readonly Resource[],
    private readonly baseUrl: string,
  ) {
    for (const resource of resources) {
      const expansion = (name: string, alias: string, most: number) => this.expansion(resource, name, alias, most);
      this.byResource.set(resource, new RecordSql(resource, metadataOf(resource), expansion));
    }
  }

  of(resource: Resource): RecordSql {
    const sql = this.byResource.get(resource);
    if (sql === undefined) throw new Error(`The resource ${resource.name} is not registered`);
    return sql;
  }

  private expansion(resource: Resource, name: string, alias: string, most: number): Expansion {
    const relation = this.relations.find((candidate) => candidate.of === resource && candidate.name === name);
    if (relation === undefined) throw new Error(`A ${resource.name} cannot be expanded by ${name}`);
    if ('many' in relation) {
      const list = this.baseUrl + relation.list;
      return {
        fields: [`"${name}".items AS "${name}"`, `"${name}".next AS "${nextName(relation)}"`],
        from: `LATERAL ${this.of(relation.many).many({ parent: alias, by: relation.by, most, list })} "${name}"`,
      };
    }
    return { fields: [`${this.of(relation.one).one(alias, this.of(resource).column(relation.by))} AS "${name}"`] };
  }
}
