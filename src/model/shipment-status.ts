/** The next statuses for each status. The API document and the README are generated from this table. */
export const STATUS_STEPS = {
  SUBMITTED: ['APPROVED', 'REJECTED', 'CANCELED'],
  APPROVED: ['IN_TRANSIT', 'DIVERSION_REQUESTED', 'CANCELLATION_REQUESTED'],
  DIVERSION_REQUESTED: ['APPROVED', 'CANCELLATION_REQUESTED'],
  IN_TRANSIT: ['DELIVERED', 'DIVERSION_REQUESTED'],
  CANCELLATION_REQUESTED: ['CANCELED', 'APPROVED'],
  REJECTED: [],
  CANCELED: [],
  DELIVERED: [],
} as const satisfies Record<string, readonly string[]>;

export type ShipmentStatus = keyof typeof STATUS_STEPS;

export const STATUSES = Object.keys(STATUS_STEPS) as ShipmentStatus[];

export const FIRST_STATUS: ShipmentStatus = 'SUBMITTED';

export function nextStatuses(from: ShipmentStatus): readonly ShipmentStatus[] {
  return STATUS_STEPS[from];
}
