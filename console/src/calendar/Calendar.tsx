import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readDraft } from '../edit/kept-draft.js';
import { useRefresh } from '../live/use-refresh.js';
import { addSpan, isDay } from '../model/days.js';
import { formatDay, formatSpan, formatWeekday } from '../model/format.js';
import type { DateField } from '../model/list-query.js';
import { announce } from '../components/notice.js';
import { useTitle } from '../components/use-title.js';
import type { Row } from '../model/rows.js';
import { cache, queryClient } from '../queries.js';
import { session } from '../session/session.js';
import { readChangedDays, readDay } from './calendar-queries.js';
import { ChangeDate } from './ChangeDate.js';
import { Day } from './Day.js';
import { Switch } from './Switch.js';
import { useHold } from './use-hold.js';
import { usePlace } from './use-place.js';
import { WriteDate, type DateChange } from './WriteDate.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Calendar.module.css';

const REFRESH_MS = 1000;
const COUNT_REFRESH_MS = 3000;

/** A week or a month of shipments by pickup or delivery date. Drag a shipment to change its date. */
export default function Calendar() {
  useTitle(t.shell.calendar);
  const { field, span, day, days, today, show } = usePlace();
  const [dragged, setDragged] = useState<Row>();
  const [over, setOver] = useState<string>();
  const [asked, setAsked] = useState<Row>();
  const [change, setChange] = useState<DateChange>();
  const [dropped, setDropped] = useState<string>();
  useRefresh(REFRESH_MS, (events) => readChangedDays(events, field, days, span));
  useRefresh(COUNT_REFRESH_MS, () => cache.outdateKey(['overview']));
  const known = days.filter(isDay);
  const counted = { today, from: known[0], to: known.at(-1) };
  // A shipment that got another date keeps the focus.
  useEffect(() => {
    if (dropped !== undefined) document.getElementById(`shipment-${dropped}`)?.focus();
  }, [dropped]);

  const drag = (shipment: Row | undefined) => {
    setDragged(shipment);
    setOver(undefined);
  };
  const put = (shipment: Row, to: string) => {
    drag(undefined);
    if (change !== undefined || shipment[field] === to || !isDay(to)) return;
    const hindrance = hindranceOf(shipment, field, to);
    if (hindrance === undefined) setChange({ shipment, field, to });
    else announce(hindrance, { isFault: true });
  };
  const done = async ({ shipment, to }: DateChange, isSaved: boolean) => {
    setChange(undefined);
    setDropped(undefined);
    // Without a save, somebody else has probably changed the shipment.
    if (isSaved) await readDay(field, to, span);
    else await queryClient.invalidateQueries({ queryKey: ['shipments'] });
    setDropped(shipment.id);
  };
  const hold = useHold(days, put, (other) => show({ day: other }));

  return (
    <div className={styles.calendar}>
      <header className={styles.head}>
        <h1>{formatSpan(span, day, days)}</h1>
        <div className={controls.actions}>
          <button
            type="button"
            aria-label={t.calendar.previous[span]}
            onClick={() => show({ day: addSpan(span, day, -1) })}
          >
            <ChevronLeft />
          </button>
          <button type="button" onClick={() => show({ day: today })}>
            {t.shell.today}
          </button>
          <button type="button" aria-label={t.calendar.next[span]} onClick={() => show({ day: addSpan(span, day, 1) })}>
            <ChevronRight />
          </button>
        </div>
        <Switch
          label={t.calendar.date}
          choices={{ pickupDate: t.facts.pickup, deliveryDate: t.facts.delivery }}
          chosen={field}
          onChoose={(next) => show({ field: next })}
        />
        <Switch
          label={t.calendar.period}
          choices={t.calendar.spans}
          chosen={span}
          onChoose={(next) => show({ span: next })}
        />
      </header>
      <div className={styles.weekdays} aria-hidden="true">
        {days.slice(0, 7).map((each) => (
          <span key={each}>{formatWeekday(each)}</span>
        ))}
      </div>
      <div className={classes(styles.days, styles[span])} {...hold.handlers}>
        {days.map((each) => (
          <Day
            key={each}
            field={field}
            day={each}
            span={span}
            counted={counted}
            isToday={each === today}
            isOutside={span === 'month' && each.slice(0, 7) !== day.slice(0, 7)}
            isTarget={(hold.held?.to ?? over) === each}
            isOpen={dragged !== undefined && isDay(each) && hindranceOf(dragged, field, each) === undefined}
            saving={change?.shipment.id}
            onDrag={drag}
            onOver={() => setOver(each)}
            onDrop={() => dragged && put(dragged, each)}
            onAsk={setAsked}
          />
        ))}
      </div>
      {asked === undefined ? null : (
        <ChangeDate
          shipment={asked}
          field={field}
          onChange={(to) => put(asked, to)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {change === undefined ? null : (
        <WriteDate key={change.shipment.id} {...change} onDone={(isSaved) => void done(change, isSaved)} />
      )}
    </div>
  );
}

/** Why a shipment cannot get a date. */
function hindranceOf(shipment: Row, field: DateField, to: string): string | undefined {
  const pickupDate = field === 'pickupDate' ? to : shipment.pickupDate;
  const deliveryDate = field === 'deliveryDate' ? to : shipment.deliveryDate;
  if (pickupDate !== null && deliveryDate !== null && pickupDate > deliveryDate) {
    return field === 'pickupDate'
      ? t.calendar.pickupTooLate(formatDay(deliveryDate))
      : t.calendar.deliveryTooEarly(formatDay(pickupDate));
  }
  // They would be saved along with the date.
  if (readDraft(session.subject, 'shipment', shipment.id) === undefined) return undefined;
  return t.calendar.hasDraft(shipment.shipmentCode);
}
