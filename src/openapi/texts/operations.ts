import { MOVE_OPERATIONS } from './move-operations.js';
import type { OperationText } from './operation-text.js';
import { OTHER_OPERATIONS } from './other-operations.js';
import { SHIPMENT_OPERATIONS } from './shipment-operations.js';

/** By the name of the method that handles the route. */
const OPERATIONS: Readonly<Record<string, OperationText>> = {
  ...MOVE_OPERATIONS,
  ...SHIPMENT_OPERATIONS,
  ...OTHER_OPERATIONS,
};

/** Routes that the document leaves out: pages for people and their parts, and what is not part of the API. */
const UNDOCUMENTED = ['DocsController.', 'MetricsController.'];

/** Undefined for a route that the document leaves out; throws for one that nobody has described. */
export function operationText(handler: string): OperationText | undefined {
  if (UNDOCUMENTED.some((prefix) => handler.startsWith(prefix))) return undefined;
  const text = OPERATIONS[handler];
  if (text === undefined) throw new Error(`Describe the route of ${handler} in openapi/texts/`);
  return text;
}

export function describedHandlers(): string[] {
  return Object.keys(OPERATIONS);
}
