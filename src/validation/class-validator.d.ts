/**
 * What rules.ts needs of class-validator. tsconfig.json gives the package these types, so that its own decorators do not compile:
 * `fieldsOf` would reject them, because they have neither the codes nor the JSON Schema keywords of our rules.
 */
export {
  getMetadataStorage,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator/types/index.js';
