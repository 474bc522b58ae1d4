import { Link } from 'wouter';
import type { Row } from '../model/rows.js';
import text from '../parts/text.module.css';

export function Name({ shipment }: { readonly shipment: Row }) {
  return (
    <Link href={`/shipments/${shipment.id}`}>
      {shipment.shipmentType} <span className={text.code}>{shipment.shipmentCode}</span>
    </Link>
  );
}
