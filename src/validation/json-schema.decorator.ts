import 'reflect-metadata';
import type { Schema } from './json-schema.js';

const SCHEMA = 'waybill:json-schema';

/**
 * Keywords of JSON Schema for a class or for one of its properties, from which the document of the API is made: its description and
 * examples, and whatever its type and its rules do not say. Those of several decorators add up.
 */
export function JsonSchema(keywords: Schema): ClassDecorator & PropertyDecorator {
  return (target: object, property?: string | symbol) => {
    const all = { ...read(target, property), ...keywords };
    if (property === undefined) Reflect.defineMetadata(SCHEMA, all, target);
    else Reflect.defineMetadata(SCHEMA, all, target, property);
  };
}

type Class = abstract new (...values: never[]) => object;

/** The keywords of a class, without those of its properties. */
export function schemaOfClass(type: Class): Schema {
  return read(type);
}

export function schemaOfProperty(type: Class, property: string): Schema {
  return read(type.prototype as object, property);
}

function read(target: object, property?: string | symbol): Schema {
  const found: unknown =
    property === undefined ? Reflect.getMetadata(SCHEMA, target) : Reflect.getMetadata(SCHEMA, target, property);
  return (found as Schema | undefined) ?? {};
}
