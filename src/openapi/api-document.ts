import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { routesIn } from '../http/routes.js';
import { RELATIONS, RESOURCES } from '../records/records.js';
import type { Relation, Resource } from '../records/resource.js';
import { documentOf, type Document } from './document.js';

/** The OpenAPI document, generated once on first use. */
@Injectable()
export class ApiDocument {
  private generated: Document | undefined;
  private written: string | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly database: Database,
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
    @Inject(RELATIONS) private readonly relations: readonly Relation[],
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get document(): Document {
    return (this.generated ??= documentOf({
      routes: routesIn(this.modules),
      resources: this.resources,
      relations: this.relations,
      metadataOf: ({ entity }) => this.database.dataSource.getMetadata(entity),
      config: this.config,
    }));
  }

  get text(): string {
    return (this.written ??= JSON.stringify(this.document));
  }
}
