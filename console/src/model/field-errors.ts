import { labelOf } from './fields.js';
import { t } from '../texts/texts.js';

const NAMES =
  /\b(shipmentType|pickupDate|deliveryDate|estimatedWeight|actualWeight|customerRemarks|moveID|orderID|agentType|firstName|lastName|email|phone|pickupAddress|destinationAddress|streetAddress[123]|postalCode)\b/g;

/** A message of the service, which completes "<field> ...", as a sentence of its own with the labels of the form. */
export function sentenceOfError(message: string): string {
  const worded = message.replace(NAMES, (name) => t.quoted(labelOf(name)));
  const sentence = `${worded.charAt(0).toUpperCase()}${worded.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
