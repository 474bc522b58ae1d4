import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { Link } from 'wouter';
import { isDay, type Span } from '../model/days.js';
import { formatCount, formatDay, formatLongDay } from '../model/format.js';
import type { DateField } from '../model/list-query.js';
import { isOverdue, routeOf } from '../model/status.js';
import { StatusMark } from '../components/StatusMark.js';
import { titleOf, type Row } from '../model/rows.js';
import { overviewQuery, type OverviewDays } from '../queries.js';
import { session } from '../session/session.js';
import { dayPath, dayQuery, PLANNED } from './calendar-queries.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './Day.module.css';

interface DayProps {
  readonly field: DateField;
  readonly day: string;
  readonly span: Span;
  /** The days whose shipments are counted together. */
  readonly counted: OverviewDays;
  readonly isToday: boolean;
  /** Whether it belongs to another month. */
  readonly isOutside: boolean;
  /** Whether the shipment that is held or dragged would be put here. */
  readonly isTarget: boolean;
  /** Whether the shipment that is dragged can be put here. */
  readonly isOpen: boolean;
  /** The shipment whose date is being saved. */
  readonly saving: string | undefined;
  readonly onDrag: (shipment: Row | undefined) => void;
  readonly onOver: () => void;
  readonly onDrop: () => void;
  readonly onAsk: (shipment: Row) => void;
}

export function Day(props: DayProps) {
  const { field, day, span, counted, isToday, isOutside, isTarget, isOpen, saving, onDrag, onOver, onDrop, onAsk } =
    props;
  const { data, error, hasNextPage, refetch } = useInfiniteQuery({
    ...dayQuery(field, day, span),
    enabled: isDay(day),
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = rows.filter((row) => row[field] === day && PLANNED.includes(row.status) && row.isDeleted !== true);
  const { data: overview } = useQuery({ ...overviewQuery(counted), enabled: hasNextPage });
  const ofDay = overview?.days.find(({ date }) => date === day)?.[field === 'pickupDate' ? 'pickups' : 'deliveries'];
  const marks = [isToday && styles.today, isOutside && styles.outside, isTarget && styles.target];
  return (
    <div
      id={`day-${day}`}
      data-day={day}
      className={classes(styles.day, ...marks, shown.length === 0 && styles.empty)}
      role="group"
      aria-label={formatLongDay(day)}
      aria-current={isToday ? 'date' : undefined}
      tabIndex={-1}
      onDragOver={(event) => {
        if (!isOpen) return;
        event.preventDefault();
        onOver();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <time className={styles.date} dateTime={day} aria-hidden="true">
        <span className={styles.full}>{formatLongDay(day)}</span>
        <span className={styles.short}>{day.endsWith('-01') ? formatDay(day) : Number(day.slice(-2))}</span>
      </time>
      <ul>
        {shown.map((row) => (
          <li key={row.id}>
            <Card row={row} span={span} isSaving={saving === row.id} onDrag={onDrag} onAsk={onAsk} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Link
          className={styles.more}
          href={dayPath(field, day)}
          aria-label={t.calendar.all(formatLongDay(day), ofDay && formatCount(ofDay))}
        >
          {ofDay === undefined ? t.calendar.more : t.calendar.count(formatCount(ofDay))}
        </Link>
      ) : null}
      {error === null ? null : (
        <button type="button" className={controls.quiet} onClick={() => void refetch()}>
          {t.calendar.notLoaded}
        </button>
      )}
    </div>
  );
}

interface CardProps {
  readonly row: Row;
  readonly span: Span;
  readonly isSaving: boolean;
  readonly onDrag: (shipment: Row | undefined) => void;
  readonly onAsk: (shipment: Row) => void;
}

function Card({ row, span, isSaving, onDrag, onAsk }: CardProps) {
  const canChange = session.can('shipments:write');
  const { id, shipmentType, shipmentCode, status } = row;
  return (
    <article
      className={classes(styles.card, isSaving && styles.saving)}
      draggable={canChange}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        onDrag(row);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <Link
        id={`shipment-${id}`}
        data-shipment={id}
        className={styles.link}
        href={`/shipments/${id}`}
        draggable={false}
      >
        <span className={text.code}>{shipmentCode}</span> <span dir="auto">{shipmentType}</span>
      </Link>
      {canChange ? (
        <button
          type="button"
          className={classes(controls.quiet, styles.menu)}
          aria-label={t.calendar.changeOf(titleOf(row))}
          onClick={() => onAsk(row)}
        >
          <Ellipsis />
        </button>
      ) : null}
      {span === 'month' ? null : (
        <div className={styles.details}>
          <p>{routeOf(row) ?? t.facts.noAddresses}</p>
          <StatusMark status={status} />
          {isOverdue(row) ? <strong className={text.overdue}>{t.facts.overdue}</strong> : null}
        </div>
      )}
    </article>
  );
}
