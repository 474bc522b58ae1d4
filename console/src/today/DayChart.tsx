import type { Overview, OverviewCount } from '@waybill/client';
import { Link, useLocation } from 'wouter';
import page from '../components/page.module.css';
import { classes } from '../components/classes.js';
import { formatCount, formatLongDay, formatWeekday } from '../model/format.js';
import { listPath } from './list-path.js';
import { t } from '../texts/texts.js';
import text from '../components/text.module.css';
import styles from './DayChart.module.css';

type Days = Overview['days'];

const HEIGHT = 190;
const TOP = 18;
const BOTTOM = 36;
const KINDS = ['pickups', 'deliveries'] as const;

/** Bars for people who see and point; the table has the same numbers and links for everybody. */
export function DayChart({ days }: { readonly days: Days }) {
  return (
    <section className={classes(page.card, styles.chart)} aria-labelledby="days-title">
      <header className={styles.head}>
        <h2 id="days-title">{t.today.nextDays(days.length)}</h2>
        <ul className={styles.legend} aria-hidden="true">
          {KINDS.map((kind) => (
            <li key={kind} className={styles[kind]}>
              {t.today[kind]}
            </li>
          ))}
        </ul>
      </header>
      <Bars days={days} />
      <p className={text.hint}>{t.today.alsoDone}</p>
      <details>
        <summary>{t.today.asTable}</summary>
        <Table days={days} />
      </details>
    </section>
  );
}

function Bars({ days }: { readonly days: Days }) {
  const [, navigate] = useLocation();
  const most = Math.max(1, ...days.flatMap(({ pickups, deliveries }) => [pickups.count, deliveries.count]));
  const bottom = HEIGHT - BOTTOM;
  // Horizontal lengths are percentages, so that the bars fit any width and the texts keep their size.
  const step = 100 / days.length;
  const bar = (number: OverviewCount, kind: keyof typeof styles, from: number) => {
    const height = (number.count / most) * (bottom - TOP);
    return (
      <g key={kind} className={styles.bar} onClick={() => navigate(listPath(number))}>
        <rect
          className={styles[kind]}
          x={`${from}%`}
          y={bottom - height}
          width={`${step * 0.36}%`}
          height={height}
          rx={2}
        />
        {number.count === 0 ? null : (
          <text className={styles.number} x={`${from + step * 0.18}%`} y={bottom - height - 5}>
            {formatCount(number)}
          </text>
        )}
      </g>
    );
  };
  return (
    <svg className={styles.bars} width="100%" height={HEIGHT} aria-hidden="true">
      <line className={styles.axis} x1="0" x2="100%" y1={bottom} y2={bottom} />
      {days.map(({ date, pickups, deliveries }, index) => (
        <g key={date}>
          {bar(pickups, 'pickups', index * step + step * 0.12)}
          {bar(deliveries, 'deliveries', index * step + step * 0.52)}
          <text className={styles.weekday} x={`${(index + 0.5) * step}%`} y={HEIGHT - 20}>
            {formatWeekday(date)}
          </text>
          <text className={styles.date} x={`${(index + 0.5) * step}%`} y={HEIGHT - 5}>
            {Number(date.slice(-2))}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Table({ days }: { readonly days: Days }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.today.day}</th>
          {KINDS.map((kind) => (
            <th key={kind} scope="col">
              {t.today[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th scope="row">{formatLongDay(day.date)}</th>
            {KINDS.map((kind) => (
              <td key={kind}>
                <Link
                  href={listPath(day[kind])}
                  aria-label={`${formatCount(day[kind])} ${t.inSentence(t.today[kind])}`}
                >
                  {formatCount(day[kind])}
                </Link>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
