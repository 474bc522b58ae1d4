import type { Address, Shipment } from '@waybill/client';
import { Link } from 'wouter';
import { formatCode, formatValue } from '../model/format.js';
import { isOverdue } from '../model/status.js';
import { Day, Moment } from '../parts/Moment.js';
import { Fact, Facts } from './Facts.js';

/** Everything of a shipment, to read. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  const { pickupDate, deliveryDate, estimatedWeight, actualWeight, rejectionReason, customerRemarks, move } = shipment;
  const weight = (name: string, value: number | null) => (value === null ? null : formatValue(name, value));
  return (
    <>
      <Facts>
        {rejectionReason === null ? null : (
          <Fact label="Rejected because" isWide>
            {rejectionReason}
          </Fact>
        )}
        <Fact label="Pickup">
          <Day day={pickupDate} />
        </Fact>
        <Fact label="Delivery">
          <span className={isOverdue(shipment) ? 'overdue' : ''}>
            <Day day={deliveryDate} />
            {isOverdue(shipment) ? ' · overdue' : ''}
          </span>
        </Fact>
        <Fact label="Estimated weight">{weight('estimatedWeight', estimatedWeight)}</Fact>
        <Fact label="Actual weight">{weight('actualWeight', actualWeight)}</Fact>
        <Fact label="From">
          <AddressLines address={shipment.pickupAddress} />
        </Fact>
        <Fact label="To">
          <AddressLines address={shipment.destinationAddress} />
        </Fact>
        <Fact label="Customer remarks" isWide>
          {customerRemarks}
        </Fact>
        {move === undefined ? null : (
          <Fact label="Move">
            <Link href={`/moves/${move.id}`} className="code">
              {move.moveCode}
            </Link>{' '}
            {move.orderID}
          </Fact>
        )}
        <Fact label="Created">
          <Moment at={shipment.createdAt} />
        </Fact>
      </Facts>
      <Agents shipment={shipment} />
      <Services shipment={shipment} />
    </>
  );
}

function AddressLines({ address }: { readonly address: Address | null }) {
  if (address === null) return <span className="none">–</span>;
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

function Agents({ shipment: { agents } }: { readonly shipment: Shipment }) {
  if (agents === undefined || agents.length === 0) return null;
  return (
    <section>
      <h2>Agents</h2>
      <ul className="parts">
        {agents.map(({ id, agentType, firstName, lastName, email, phone }) => (
          <li key={id}>
            <strong>
              {firstName} {lastName}
            </strong>{' '}
            <span className="hint">{formatCode(agentType)}</span>
            <span>{[email, phone].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Services({ shipment: { services } }: { readonly shipment: Shipment }) {
  if (services === undefined || services.length === 0) return null;
  return (
    <section>
      <h2>Services</h2>
      <ul className="parts">
        {services.map(({ id, code, description }) => (
          <li key={id}>
            <strong className="code">{code}</strong> <span>{description}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
