import type { Schema } from '../schema/json-schema.js';

/** What the rules of a field demand, in words that the document of the API can use. */
export interface Shape {
  /** Of a value that is not null. */
  readonly schema?: Schema;
  readonly required?: true;
  /** Demands that involve other fields; each completes "fieldName ...". */
  readonly notes?: readonly string[];
}

const SHAPE = 'waybill:shape';

/** Stands beside the check in each rule, so that nobody changes the one without seeing the other. */
export function shape(part: Shape): PropertyDecorator {
  return (target, name) => {
    const before = shapeOf(target, String(name));
    const notes = [...(part.notes ?? []), ...(before.notes ?? [])];
    Reflect.defineMetadata(SHAPE, { ...before, ...part, ...(notes.length > 0 && { notes }) }, target, name);
  };
}

/** `prototype` is that of a class with fields. */
export function shapeOf(prototype: object, field: string): Shape {
  return (Reflect.getMetadata(SHAPE, prototype, field) as Shape | undefined) ?? {};
}
