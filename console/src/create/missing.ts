import { REQUIRED, type Kind, type Values } from '../model/fields.js';

/** Errors of a new record that need no request. */
export function missingIn(kind: Kind, values: Values): Record<string, string> {
  const errors = Object.fromEntries(
    REQUIRED[kind].filter((name) => values[name] == null).map((name) => [name, 'Fill in this field.']),
  );
  if (kind === 'agent' && values['email'] == null && values['phone'] == null) {
    errors['email'] = 'Give an email address or a phone number.';
  }
  return errors;
}
