import 'reflect-metadata';
import type { Schema } from './json-schema.js';

const SCHEMA = 'waybill:json-schema';

/** JSON Schema keywords of a class or property that its type and rules do not imply. Several decorators are merged. */
export function JsonSchema(keywords: Schema): ClassDecorator & PropertyDecorator {
  return (target: object, property?: string | symbol) => {
    const all = { ...read(target, property), ...keywords };
    Reflect.defineMetadata(SCHEMA, all, target, property as string);
  };
}

type Class = abstract new (...values: never[]) => object;

/** The keywords of a class, without its properties. */
export function schemaOfClass(type: Class): Schema {
  return read(type);
}

export function schemaOfProperty(type: Class, property: string): Schema {
  return read(type.prototype as object, property);
}

/** Without a property, the keywords of the class: reflect-metadata allows undefined, which its types do not say. */
function read(target: object, property?: string | symbol): Schema {
  return (Reflect.getMetadata(SCHEMA, target, property as string) as Schema | undefined) ?? {};
}
