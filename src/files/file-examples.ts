import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import { columnsOf, partsOf, storedIn, type FileKind } from './columns.js';
import { exportFile } from './export-file.js';
import { FILE_FORMATS, FILE_TYPES } from '../http/media-types.js';

/** Example files with one record, by media type, for the API document. */
export function fileExamples(kind: FileKind): Readonly<Record<string, string>> {
  const values = recordExample(kind);
  const record = { json: () => JSON.stringify(values), values: () => values };
  return Object.fromEntries(
    FILE_FORMATS.map((format) => {
      const { beginning, lines } = exportFile('', columnsOf(kind), { format, excel: false });
      return [FILE_TYPES[format], beginning + lines([record])];
    }),
  );
}

function recordExample({ resource: { entity, exampleID } }: FileKind): object {
  return {
    id: exampleID,
    ...fieldExamples(entity),
    ...Object.fromEntries(
      partsOf(entity).map(({ name, type }) => [name, { ...fieldExamples(type), eTag: EXAMPLE_ETAG }]),
    ),
    ...Object.fromEntries(['createdAt', 'updatedAt'].map((name) => [name, exampleOf(entity, name)])),
    eTag: EXAMPLE_ETAG,
  };
}

function fieldExamples(type: new () => object): object {
  return Object.fromEntries(storedIn(type).map(({ name }) => [name, exampleOf(type, name)]));
}

function exampleOf(type: new () => object, name: string): unknown {
  return schemaOfProperty(type, name).examples?.[0] ?? null;
}
