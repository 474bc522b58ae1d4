import type { Agent, Service } from '@waybill/client';
import type { ReactNode } from 'react';
import { formatCode, formatExactly, formatValue, shortETag } from '../model/format.js';
import { Day } from '../components/Moment.js';
import { OnlyNewest } from '../components/OnlyNewest.js';
import { StatusMark } from '../components/StatusMark.js';
import { Fact, Facts } from '../views/Facts.js';
import { AddressLines } from '../views/ShipmentFacts.js';
import type { Waybill } from './print-query.js';
import { QrCode } from './QrCode.js';
import { t } from '../texts/texts.js';
import { labelOf } from '../model/fields.js';
import { Rich } from '../texts/Rich.js';
import text from '../components/text.module.css';
import styles from './Print.module.css';

/** One shipment on one page. */
export function Sheet({ waybill: { shipment, author } }: { readonly waybill: Waybill }) {
  const { shipmentCode, shipmentType, status, move, agents = [], services = [] } = shipment;
  const weight = (name: 'estimatedWeight' | 'actualWeight') =>
    shipment[name] === null ? null : formatValue(name, shipment[name]);
  return (
    <article className={styles.sheet} aria-label={t.print.title(shipmentCode)}>
      <header className={styles.head}>
        <div>
          <p className={styles.mark}>{t.print.waybill}</p>
          <h1 className={styles.code}>{shipmentCode}</h1>
          <p className={styles.kind}>
            <strong dir="auto">{shipmentType}</strong> <StatusMark status={status} />
          </p>
        </div>
        <QrCode className={styles.qr} text={shipmentCode} />
      </header>
      <Facts>
        <Fact label={t.facts.from}>
          <AddressLines address={shipment.pickupAddress} />
        </Fact>
        <Fact label={t.facts.to}>
          <AddressLines address={shipment.destinationAddress} />
        </Fact>
        <Fact label={t.facts.pickup}>
          <Day day={shipment.pickupDate} />
        </Fact>
        <Fact label={t.facts.delivery}>
          <Day day={shipment.deliveryDate} />
        </Fact>
        <Fact label={labelOf('estimatedWeight')}>{weight('estimatedWeight')}</Fact>
        <Fact label={labelOf('actualWeight')}>{weight('actualWeight')}</Fact>
        {move === undefined ? null : (
          <>
            <Fact label={t.record.move}>{move.moveCode}</Fact>
            <Fact label={labelOf('orderID')}>{move.orderID}</Fact>
          </>
        )}
        {shipment.rejectionReason === null ? null : (
          <Fact label={labelOf('rejectionReason')} isWide>
            {shipment.rejectionReason}
          </Fact>
        )}
        <Fact label={labelOf('customerRemarks')} isWide>
          {shipment.customerRemarks}
        </Fact>
      </Facts>
      <Agents agents={agents} />
      <Services services={services} next={shipment.servicesNext} />
      <footer className={styles.version}>
        <Rich>
          {t.print.version<ReactNode>(
            <span className={text.code}>{shortETag(shipment)}</span>,
            formatExactly(shipment.updatedAt),
            author,
          )}
        </Rich>
      </footer>
    </article>
  );
}

function Agents({ agents }: { readonly agents: readonly Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <section>
      <h2>{t.children.agent}</h2>
      <ul>
        {agents.map(({ id, agentType, firstName, lastName, email, phone }) => (
          <li key={id}>
            <strong>{[firstName, lastName].filter(Boolean).join(' ')}</strong>, {t.inSentence(formatCode(agentType))}:{' '}
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
      <h2>{t.children.service}</h2>
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
