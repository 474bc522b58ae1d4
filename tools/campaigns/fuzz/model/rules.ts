import type { Json } from '../../../../test/support/http/api.js';
import { ADDRESSES, complete, merged, REQUIRED_OF_ADDRESS, type Kind } from './kinds.js';

/**
 * Rules between fields, which the document describes in words: the pointers of the errors of a body that its schema allows.
 * A PATCH (with `before`) answers for the fields it sends only.
 */
export function ruleFaults(kind: Kind, body: Json, before?: Json): string[] {
  const after = before === undefined ? complete(kind, body) : merged(kind, before, body);
  const concerned = (fields: readonly string[]) =>
    fields.filter((field) => before === undefined || Object.hasOwn(body, field)).map((field) => `/${field}`);
  const faults: string[] = [];
  if (kind.name === 'shipment') {
    const { pickupDate, deliveryDate } = after;
    if (pickupDate !== null && deliveryDate !== null && pickupDate > deliveryDate) {
      faults.push(...concerned(['pickupDate', 'deliveryDate']));
    }
    for (const name of ADDRESSES) {
      const lacking = REQUIRED_OF_ADDRESS.filter((field) => after[name] !== null && after[name][field] === null);
      if (concerned([name]).length > 0) faults.push(...lacking.map((field) => `/${name}/${field}`));
    }
  }
  if (kind.name === 'agent' && after.email === null && after.phone === null) {
    faults.push(...concerned(['email', 'phone']));
  }
  return faults;
}

/** The steps of a status, as the contract has them. */
export const STEPS: Readonly<Record<string, readonly string[]>> = {
  SUBMITTED: ['APPROVED', 'REJECTED', 'CANCELED'],
  APPROVED: ['IN_TRANSIT', 'DIVERSION_REQUESTED', 'CANCELLATION_REQUESTED'],
  DIVERSION_REQUESTED: ['APPROVED', 'CANCELLATION_REQUESTED'],
  IN_TRANSIT: ['DELIVERED', 'DIVERSION_REQUESTED'],
  CANCELLATION_REQUESTED: ['CANCELED', 'APPROVED'],
  REJECTED: [],
  CANCELED: [],
  DELIVERED: [],
};

export function statusFaults({ status, rejectionReason = null }: Json): string[] {
  return (status === 'REJECTED') === (rejectionReason !== null) ? [] : ['/rejectionReason'];
}
