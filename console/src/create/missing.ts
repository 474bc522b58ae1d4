import { REQUIRED, type Kind, type Values } from '../model/fields.js';
import { weightFaults } from '../model/weights.js';
import { t } from '../texts/texts.js';

/** The move of a shipment that is added to an existing one, until the user has chosen it. */
export const NOT_CHOSEN = '';

/** Errors of a new record that need no request. */
export function missingIn(kind: Kind, values: Values): Record<string, string> {
  const errors = weightFaults(values);
  for (const name of REQUIRED[kind]) if (values[name] == null) errors[name] = t.fields.missing;
  if (values['moveID'] === NOT_CHOSEN) errors['moveID'] = t.create.chooseMove;
  if (kind === 'agent' && values['email'] == null && values['phone'] == null) {
    errors['email'] = t.fields.missingContact;
  }
  return errors;
}
