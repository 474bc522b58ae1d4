import { fieldsOf } from '../../src/validation/fields-of.js';
import { Required, Text } from '../../src/validation/rules.js';

type Decorators = Readonly<Record<string, (...words: unknown[]) => PropertyDecorator>>;

/** The types of the package have no decorators; test/repository/foreign-imports.spec.ts checks that. */
let theirs: Decorators;
beforeAll(async () => {
  theirs = (await import('class-validator')) as unknown as Decorators;
});

class AlwaysValid {
  validate(): boolean {
    return true;
  }
}

const FOREIGN: [name: string, ...words: unknown[]][] = [
  ['IsEmail'],
  ['IsOptional'],
  ['ValidateIf', () => false],
  ['MaxLength', 3, { each: true }],
  ['Min', 1, { groups: ['creation'] }],
  ['ValidateNested', { each: true }],
  ['IsDefined'],
  ['Allow'],
  ['Validate', AlwaysValid],
];

test.each(FOREIGN)('@%s on a field fails the start, also beside a rule of the service', (name, ...words) => {
  class Contact {
    @Required()
    @Text(64)
    email!: string;
  }
  theirs[name]?.(...words)(Contact.prototype, 'email');
  expect(() => fieldsOf(Contact)).toThrow(
    /^Contact\.email has a rule of class-validator \(.+\): use the rules of src\//,
  );
});

test('fields that inherit such a rule fail, too', () => {
  class Base {
    email!: string;
  }
  class Contact extends Base {
    @Text(64)
    name!: string;
  }
  theirs['IsEmail']?.()(Base.prototype, 'email');
  expect(() => fieldsOf(Contact)).toThrow('Contact.email has a rule of class-validator');
});
