import type { Address, Shipment } from '@waybill/client';
import { Link } from 'wouter';
import { formatValue, shortETag } from '../model/format.js';
import { isOverdue } from '../model/status.js';
import { Day, Moment } from '../components/Moment.js';
import { Fact, Facts } from './Facts.js';
import { t } from '../texts/texts.js';
import text from '../components/text.module.css';

/** Read-only view of a shipment. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  const { pickupDate, deliveryDate, estimatedWeight, actualWeight, rejectionReason, customerRemarks, move } = shipment;
  const weight = (name: string, value: number | null) => (value === null ? null : formatValue(name, value));
  return (
    <Facts>
      {rejectionReason === null ? null : (
        <Fact label={t.fields.labels.rejectionReason} isWide>
          {rejectionReason}
        </Fact>
      )}
      <Fact label={t.facts.pickup}>
        <Day day={pickupDate} />
      </Fact>
      <Fact label={t.facts.delivery}>
        <span className={isOverdue(shipment) ? text.overdue : undefined}>
          <Day day={deliveryDate} />
          {isOverdue(shipment) ? t.facts.andOverdue : ''}
        </span>
      </Fact>
      <Fact label={t.fields.labels.estimatedWeight}>{weight('estimatedWeight', estimatedWeight)}</Fact>
      <Fact label={t.fields.labels.actualWeight}>{weight('actualWeight', actualWeight)}</Fact>
      <Fact label={t.facts.from}>
        <AddressLines address={shipment.pickupAddress} />
      </Fact>
      <Fact label={t.facts.to}>
        <AddressLines address={shipment.destinationAddress} />
      </Fact>
      <Fact label={t.fields.labels.customerRemarks} isWide>
        {customerRemarks}
      </Fact>
      {move === undefined ? null : (
        <Fact label={t.record.move}>
          <Link href={`/moves/${move.id}`} className={text.code}>
            {move.moveCode}
          </Link>{' '}
          {move.orderID}
        </Fact>
      )}
      <Fact label={t.facts.created}>
        <Moment at={shipment.createdAt} />
      </Fact>
      <Fact label={t.facts.version}>
        <Moment at={shipment.updatedAt} /> <span className={text.code}>{shortETag(shipment)}</span>
      </Fact>
    </Facts>
  );
}

export function AddressLines({ address }: { readonly address: Address | null }) {
  if (address === null) return <span className={text.none}>–</span>;
  const { streetAddress1, streetAddress2, streetAddress3, city, state, postalCode, country } = address;
  const lines = [streetAddress1, streetAddress2, streetAddress3, `${city}, ${state} ${postalCode}`, country];
  return (
    <address>
      {lines
        .filter((line) => line !== null)
        .map((line, index) => (
          <span key={index}>{line}</span>
        ))}
    </address>
  );
}
