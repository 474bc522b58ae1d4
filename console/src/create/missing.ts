import { REQUIRED, type Kind, type Values } from '../model/fields.js';
import { weightFaults } from '../model/weights.js';
import { t } from '../texts/texts.js';

/** The move of a shipment that is added to an existing one, until the user has chosen it. */
export const NOT_CHOSEN = '';

/** Errors of a new record that need no request. */
export function missingIn(kind: Kind, values: Values): Record<string, string> {
  const missing = REQUIRED[kind].filter((name) => values[name] == null).map((name) => [name, t.fields.missing]);
  const errors: Record<string, string> = { ...Object.fromEntries(missing), ...weightFaults(values) };
  if (values['moveID'] === NOT_CHOSEN) errors['moveID'] = t.create.chooseMove;
  if (kind === 'agent' && values['email'] == null && values['phone'] == null) {
    errors['email'] = t.fields.missingContact;
  }
  return errors;
}
