import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { routesIn } from '../http/routes.js';
import type { Relation, Resource } from '../records/resource.js';
import { documentOf, type Document } from './document.js';

/** What the service serves, as the module was told. */
export const SERVED = Symbol('SERVED');

export interface Served {
  readonly resources: readonly Resource[];
  readonly relations: readonly Relation[];
}

/** The OpenAPI document of this service, written once, when somebody asks for it. */
@Injectable()
export class ApiDocument {
  private written: { readonly document: Document; readonly text: string } | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly database: Database,
    @Inject(SERVED) private readonly served: Served,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get document(): Document {
    return this.write().document;
  }

  get text(): string {
    return this.write().text;
  }

  private write() {
    if (this.written === undefined) {
      const document = documentOf({
        ...this.served,
        routes: routesIn(this.modules),
        metadataOf: ({ entity }) => this.database.dataSource.getMetadata(entity),
        config: this.config,
      });
      this.written = { document, text: JSON.stringify(document) };
    }
    return this.written;
  }
}
