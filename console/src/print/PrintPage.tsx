import { useQuery } from '@tanstack/react-query';
import type { Event } from '@waybill/client';
import { ArrowLeft, Printer } from 'lucide-react';
import { Link } from 'wouter';
import { useRefresh } from '../live/use-refresh.js';
import { Fault } from '../components/Fault.js';
import { useTitle } from '../components/use-title.js';
import { cache, type HistoryOf } from '../queries.js';
import { MAX_WAYBILLS, printQuery } from './print-query.js';
import { Sheet } from './Sheet.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './Print.module.css';

const REFRESH_MS = 1000;

/** The waybill of a shipment, or those of all shipments of a move, as they are printed. */
export default function PrintPage({ kind, id }: HistoryOf) {
  const query = printQuery({ kind, id });
  const { data, error, refetch } = useQuery(query);
  const waybills = data?.waybills ?? [];
  useRefresh(REFRESH_MS, (events) => {
    const isShown = ({ data: { shipmentID, moveID } }: Event) =>
      waybills.some(({ shipment }) => shipment.id === shipmentID || (kind === 'move' && shipment.moveID === moveID));
    // While they are read for the first time, their ids are unknown.
    if ((waybills.length === 0 && error === null) || events.some(isShown)) cache.outdateKey(query.queryKey);
  });
  const record = waybills[0]?.shipment;
  useTitle(
    record === undefined
      ? undefined
      : t.print.title(kind === 'move' ? record.shipmentCode.slice(0, 6) : record.shipmentCode),
  );
  const back = kind === 'shipment' ? `/shipments/${record?.id ?? id}` : `/moves/${record?.moveID ?? id}`;
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link className={controls.button} href={back}>
          <ArrowLeft />
          {t.actions.back}
        </Link>
        <button type="button" className={controls.primary} disabled={data === undefined} onClick={() => window.print()}>
          <Printer />
          {t.actions.print}
        </button>
        {kind === 'move' && data !== undefined ? (
          <span className={text.hint}>{t.print.pages(waybills.length)}</span>
        ) : null}
        {data?.hasMore === true ? (
          <p className={classes(page.banner, page.warning)}>{t.print.onlyFirst(MAX_WAYBILLS)}</p>
        ) : null}
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      {waybills.map((waybill) => (
        <Sheet key={waybill.shipment.id} waybill={waybill} />
      ))}
    </div>
  );
}
