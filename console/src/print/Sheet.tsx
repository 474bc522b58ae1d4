import type { Agent, Service } from '@waybill/client';
import { formatCode, formatExactly, formatValue, shortETag } from '../model/format.js';
import { Day } from '../parts/Moment.js';
import { OnlyNewest } from '../parts/OnlyNewest.js';
import { StatusMark } from '../parts/StatusMark.js';
import { Fact, Facts } from '../views/Facts.js';
import { AddressLines } from '../views/ShipmentFacts.js';
import type { Waybill } from './print-query.js';
import { QrCode } from './QrCode.js';
import text from '../parts/text.module.css';
import styles from './Print.module.css';

/** One shipment on one page. */
export function Sheet({ waybill: { shipment, author } }: { readonly waybill: Waybill }) {
  const { shipmentCode, shipmentType, status, move, agents = [], services = [] } = shipment;
  const weight = (name: 'estimatedWeight' | 'actualWeight') =>
    shipment[name] === null ? null : formatValue(name, shipment[name]);
  return (
    <article className={styles.sheet} aria-label={`Waybill ${shipmentCode}`}>
      <header className={styles.head}>
        <div>
          <p className={styles.mark}>Waybill</p>
          <h1 className={styles.code}>{shipmentCode}</h1>
          <p className={styles.kind}>
            <strong dir="auto">{shipmentType}</strong> <StatusMark status={status} />
          </p>
        </div>
        <QrCode className={styles.qr} text={shipmentCode} />
      </header>
      <Facts>
        <Fact label="From">
          <AddressLines address={shipment.pickupAddress} />
        </Fact>
        <Fact label="To">
          <AddressLines address={shipment.destinationAddress} />
        </Fact>
        <Fact label="Pickup">
          <Day day={shipment.pickupDate} />
        </Fact>
        <Fact label="Delivery">
          <Day day={shipment.deliveryDate} />
        </Fact>
        <Fact label="Estimated weight">{weight('estimatedWeight')}</Fact>
        <Fact label="Actual weight">{weight('actualWeight')}</Fact>
        {move === undefined ? null : (
          <>
            <Fact label="Move">{move.moveCode}</Fact>
            <Fact label="Order">{move.orderID}</Fact>
          </>
        )}
        {shipment.rejectionReason === null ? null : (
          <Fact label="Rejection reason" isWide>
            {shipment.rejectionReason}
          </Fact>
        )}
        <Fact label="Customer remarks" isWide>
          {shipment.customerRemarks}
        </Fact>
      </Facts>
      <Agents agents={agents} />
      <Services services={services} next={shipment.servicesNext} />
      <footer className={styles.version}>
        Version <span className={text.code}>{shortETag(shipment)}</span>, {formatExactly(shipment.updatedAt)}
        {author === undefined ? '' : `, by ${author}`}
      </footer>
    </article>
  );
}

function Agents({ agents }: { readonly agents: readonly Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <section>
      <h2>Agents</h2>
      <ul>
        {agents.map(({ id, agentType, firstName, lastName, email, phone }) => (
          <li key={id}>
            <strong>{[firstName, lastName].filter(Boolean).join(' ')}</strong>, {formatCode(agentType).toLowerCase()}:{' '}
            {[phone, email].filter(Boolean).join(', ')}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ServicesProps {
  readonly services: readonly Service[];
  readonly next: string | null | undefined;
}

function Services({ services, next }: ServicesProps) {
  if (services.length === 0) return null;
  return (
    <section>
      <h2>Services</h2>
      <ul>
        {services.map(({ id, code, description }) => (
          <li key={id}>
            <strong className={text.code}>{code}</strong> {description}
          </li>
        ))}
      </ul>
      <OnlyNewest next={next} />
    </section>
  );
}
