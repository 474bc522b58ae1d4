import type { ShipmentStatus } from '@waybill/client';
import { formatCode } from '../model/format.js';
import { Badge, type Tone } from './Badge.js';

const TONES: Readonly<Record<ShipmentStatus, Tone>> = {
  SUBMITTED: 'plain',
  APPROVED: 'accent',
  IN_TRANSIT: 'accent',
  DIVERSION_REQUESTED: 'warn',
  CANCELLATION_REQUESTED: 'warn',
  DELIVERED: 'quiet',
  REJECTED: 'quiet',
  CANCELED: 'quiet',
};

export function StatusMark({ status }: { readonly status: ShipmentStatus }) {
  return <Badge tone={TONES[status]}>{formatCode(status)}</Badge>;
}
