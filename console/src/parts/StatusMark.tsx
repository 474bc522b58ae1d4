import type { ShipmentStatus } from '@waybill/client';
import { formatCode } from '../model/format.js';

export function StatusMark({ status }: { readonly status: ShipmentStatus }) {
  return <span className={`status status-${status.toLowerCase().replaceAll('_', '-')}`}>{formatCode(status)}</span>;
}
