import { applyDecorators } from '@nestjs/common';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { rule } from '../validation/rules.js';
import { isNameOf, nameSchema, type Resource } from './resource.js';

/** A reference to another record by its id or, if it has one, its alternate key. */
export function NameOf(resource: Resource): PropertyDecorator {
  const { name, alternateKey } = resource;
  const message = `must be the id of a ${name}${alternateKey === undefined ? '' : ` or its ${alternateKey.property}`}`;
  return applyDecorators(
    JsonSchema(nameSchema(resource)),
    rule('INVALID_ID', message, (value) => typeof value === 'string' && isNameOf(resource, value)),
  );
}
