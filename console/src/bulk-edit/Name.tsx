import { Link } from 'wouter';
import type { Row } from '../model/rows.js';
import text from '../components/text.module.css';

export function Name({ shipment }: { readonly shipment: Row }) {
  return (
    <Link href={`/shipments/${shipment.id}`}>
      <span className={text.code}>{shipment.shipmentCode}</span> <bdi>{shipment.shipmentType}</bdi>
    </Link>
  );
}
