import { useQueries, useQuery } from '@tanstack/react-query';
import { isProblem, type Event, type Shipment } from '@waybill/client';
import { Link } from 'wouter';
import { t } from '../texts/texts.js';
import { number } from '../texts/region.js';
import { Rich } from '../texts/Rich.js';
import page from '../components/page.module.css';
import { classes } from '../components/classes.js';
import { authorOf } from '../author.js';
import { labelOf } from '../model/fields.js';
import { saysWhatChanged } from '../model/last-change.js';
import { Fault } from '../components/Fault.js';
import { Ago, Moment } from '../components/Moment.js';
import { StatusMark } from '../components/StatusMark.js';
import { shipmentQuery } from '../queries.js';
import { lastVisit } from './last-visit.js';
import { changesQuery, type Changes } from './today-queries.js';
import text from '../components/text.module.css';
import styles from './Today.module.css';

const MAX_SHOWN = 6;

/** Shows the changes by others since the last visit. */
export function Changed() {
  const visit = lastVisit();
  const { data, error } = useQuery(changesQuery());
  return (
    <section className={classes(page.card, styles.changed)} aria-labelledby="changed-title">
      <h2 id="changed-title">{t.today.changed}</h2>
      <Fault error={error} />
      {visit === undefined ? <p className={text.empty}>{t.today.firstVisit}</p> : null}
      {data === undefined || visit === undefined ? null : <Shipments changes={data} since={visit.at} />}
    </section>
  );
}

function Shipments({ changes, since }: { readonly changes: Changes; readonly since: string }) {
  const { byShipment, isComplete } = changes;
  const latest = [...byShipment.values()].reverse().slice(0, MAX_SHOWN);
  const read = useQueries({ queries: latest.map(({ data }) => shipmentQuery(data.resourceID)) });
  const count = `${number(byShipment.size)}${isComplete ? '' : '+'}`;
  if (byShipment.size === 0 && isComplete) {
    return (
      <p className={text.empty}>
        <Rich>{t.today.nothingSince(<Moment at={since} />)}</Rich>
      </p>
    );
  }
  return (
    <>
      <p>
        <Link href={`/list?updatedSince=${changes.since ?? since}&sort=-updatedAt`}>
          <strong>{count}</strong> {t.today.shipments(byShipment.size === 1 && isComplete)}
        </Link>{' '}
        <span className={text.hint}>
          <Rich>{t.today.since(<Moment at={since} />)}</Rich>
        </span>
      </p>
      <ul className={styles.changes}>
        {latest.map((event, index) => (
          <li key={event.data.resourceID}>
            <Change event={event} shipment={read[index]?.data} isDeleted={isProblem(read[index]?.error, 'NOT_FOUND')} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChangeProps {
  readonly event: Event;
  readonly shipment: Shipment | undefined;
  readonly isDeleted: boolean;
}

function Change({ event: { type, time, data }, shipment, isDeleted }: ChangeProps) {
  return (
    <>
      <Link href={`/shipments/${data.resourceID}`}>
        {shipment === undefined ? (
          t.today.aShipment
        ) : (
          <>
            <span className={text.code}>{shipment.shipmentCode}</span> <bdi>{shipment.shipmentType}</bdi>
          </>
        )}
      </Link>
      {shipment === undefined || isDeleted ? null : <StatusMark status={shipment.status} />}
      <span>
        <strong>{authorOf(data.resourceID, data.changedBy, time)}</strong> {doneIn(type, data)}, <Ago at={time} />
      </span>
    </>
  );
}

function doneIn(type: Event['type'], data: Event['data']): string {
  const { changes, truncated } = data;
  if (type === 'shipment.created') return t.today.created;
  if (type === 'shipment.deleted') return t.today.deleted;
  if (type === 'shipment.restored') return t.today.restored;
  if (truncated !== true && !saysWhatChanged(data)) return t.today.saved;
  const fields = [...new Set(changes.map(({ field }) => t.inSentence(labelOf(field))))];
  return fields.length === 0 ? t.today.savedOnly : t.today.changedFields(fields.join(', '));
}
