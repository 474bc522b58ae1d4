import { applyDecorators } from '@nestjs/common';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { rule } from '../validation/rules.js';
import { isNameOf, namesDemand, nameSchema, type Resource } from './resource.js';

/** Another record by its id, or by its second name where it has one, as in a path. */
export function NameOf(resource: Resource): PropertyDecorator {
  return applyDecorators(
    JsonSchema(nameSchema(resource)),
    rule('INVALID_ID', namesDemand(resource), (value) => typeof value === 'string' && isNameOf(resource, value)),
  );
}
