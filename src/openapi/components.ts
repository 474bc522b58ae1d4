import type { Schema } from '../validation/json-schema.js';
import type { ApiTexts } from './api-texts.js';

export interface Ref {
  readonly $ref: string;
}

type Section = 'schemas' | 'responses' | 'parameters' | 'headers';

/** Collects the components that the document refers to. */
export class Components {
  private readonly sections: Record<Section, Map<string, object>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    headers: new Map(),
  };

  constructor(readonly texts: ApiTexts) {}

  schema(name: string, make: () => Schema): Ref {
    return this.add('schemas', name, make);
  }

  add(section: Section, name: string, make: () => object): Ref {
    const parts = this.sections[section];
    if (!parts.has(name)) {
      // Reserve the name first: a schema can contain itself.
      parts.set(name, {});
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  get({ $ref }: Ref): Schema {
    return this.sections.schemas.get($ref.split('/').pop() ?? '') ?? {};
  }

  toJSON(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.sections).map(([section, parts]) => [section, Object.fromEntries([...parts].sort(byName))]),
    );
  }
}

function byName([one]: [string, object], [other]: [string, object]): number {
  return one < other ? -1 : 1;
}
