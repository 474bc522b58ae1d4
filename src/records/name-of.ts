import { applyDecorators } from '@nestjs/common';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { rule } from '../validation/rules.js';
import { isNameOf, namesDemand, nameSchema, type Resource } from './resource.js';

/** A reference to another record by its id or, if it has one, its alternate key. */
export function NameOf(resource: Resource): PropertyDecorator {
  return applyDecorators(
    JsonSchema(nameSchema(resource)),
    rule('INVALID_ID', namesDemand(resource), (value) => typeof value === 'string' && isNameOf(resource, value)),
  );
}
