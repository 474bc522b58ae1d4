import { Link } from 'wouter';
import type { Row } from '../queries.js';

export function Name({ shipment }: { readonly shipment: Row }) {
  return (
    <Link href={`/shipments/${shipment.id}`}>
      {shipment.shipmentType} <span className="code">{shipment.shipmentCode}</span>
    </Link>
  );
}
