import { REQUIRED, type Kind, type Values } from '../model/fields.js';
import { t } from '../texts/texts.js';

/** Errors of a new record that need no request. */
export function missingIn(kind: Kind, values: Values): Record<string, string> {
  const errors = Object.fromEntries(
    REQUIRED[kind].filter((name) => values[name] == null).map((name) => [name, t.fields.missing]),
  );
  if (kind === 'agent' && values['email'] == null && values['phone'] == null) {
    errors['email'] = t.fields.missingContact;
  }
  return errors;
}
