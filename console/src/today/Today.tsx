import { useQuery } from '@tanstack/react-query';
import type { Overview, OverviewCount } from '@waybill/client';
import { Suspense } from 'react';
import { CalendarClock, Inbox, TriangleAlert, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import { classes } from '../components/classes.js';
import { useRefresh } from '../live/use-refresh.js';
import { formatCount, formatLongDay } from '../model/format.js';
import { Fault } from '../components/Fault.js';
import { lazyView } from '../components/lazy-view.js';
import { Loading } from '../components/Loading.js';
import { useToday } from '../components/Moment.js';
import { useTitle } from '../components/use-title.js';
import { cache, overviewQuery } from '../queries.js';
import { Changed } from './Changed.js';
import { DayChart } from './DayChart.js';
import { listPath } from './list-path.js';
import { changesQuery } from './today-queries.js';
import { t } from '../texts/texts.js';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './Today.module.css';

const FirstRun = lazyView(() => import('../first-run/FirstRun.js'));

/** Others may change many shipments a second; the numbers follow at this pace. */
const REFRESH_MS = 3000;

/** The landing page: what is due, what is late, and what others did. */
export function Today() {
  useTitle(t.shell.today);
  const today = useToday();
  const { data, error, isPending, refetch } = useQuery(overviewQuery({ today }));
  useRefresh(REFRESH_MS, () => {
    cache.outdateKey(['overview']);
    cache.outdateKey(changesQuery().queryKey);
  });
  return (
    <div className={page.page}>
      <div className={styles.today}>
        <header className={styles.head}>
          <h1>{t.shell.today}</h1>
          <p className={text.hint}>{formatLongDay(today)}</p>
        </header>
        <Fault error={error} onRetry={() => void refetch()} />
        {isPending ? <Loading rows={6} /> : null}
        {data === undefined ? null : <Numbers overview={data} />}
        <Changed />
      </div>
    </div>
  );
}

function Numbers({ overview }: { readonly overview: Overview }) {
  const { overdue, dueToday, waitingForApproval, byStatus, days } = overview;
  if (byStatus.every(({ count }) => count === 0)) {
    return (
      <Suspense fallback={null}>
        <FirstRun />
      </Suspense>
    );
  }
  return (
    <>
      <div className={styles.tiles}>
        <Tile
          title={t.facts.overdue}
          Icon={TriangleAlert}
          isLate
          numbers={{ [t.today.toPickUp]: overdue.pickups, [t.today.toDeliver]: overdue.deliveries }}
        />
        <Tile
          title={t.today.dueToday}
          Icon={CalendarClock}
          numbers={{ [t.today.toPickUp]: dueToday.pickups, [t.today.toDeliver]: dueToday.deliveries }}
        />
        <Tile title={t.today.waiting} Icon={Inbox} numbers={{ [t.today.submitted]: waitingForApproval }} />
      </div>
      <DayChart days={days} />
    </>
  );
}

interface TileProps {
  readonly title: string;
  readonly Icon: LucideIcon;
  readonly numbers: Readonly<Record<string, OverviewCount>>;
  /** Whether a number other than zero needs attention. */
  readonly isLate?: boolean;
}

function Tile({ title, Icon, numbers, isLate = false }: TileProps) {
  return (
    <section className={classes(page.card, styles.tile)}>
      <h2>
        <Icon />
        {title}
      </h2>
      <ul>
        {Object.entries(numbers).map(([label, number]) => (
          <li key={label}>
            <Link href={listPath(number)} className={isLate && number.count > 0 ? styles.late : undefined}>
              <strong>{formatCount(number)}</strong> {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
