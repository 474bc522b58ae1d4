import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { ShipmentStatus } from '@waybill/client';
import { memo, Suspense, useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react';
import { Link } from 'wouter';
import { formatCode, formatCount } from '../model/format.js';
import { COLUMNS, hasWayBack, isFinal, isOverdue, nextStatuses, routeOf } from '../model/status.js';
import { arrivals, newIn } from '../live/arrivals.js';
import { useRefresh } from '../live/use-refresh.js';
import { Fault } from '../components/Fault.js';
import { lazyView } from '../components/lazy-view.js';
import { Loading } from '../components/Loading.js';
import { Day, useToday } from '../components/Moment.js';
import { useKeptScroll } from '../components/use-kept-scroll.js';
import { useTitle } from '../components/use-title.js';
import { titleOf, type Row, type Rows } from '../model/rows.js';
import { cache, columnQuery, overviewQuery } from '../queries.js';
import { session } from '../session/session.js';
import { useStore } from '../use-store.js';
import { announceRefusal, changeStatus, newAttempt, type Refusal } from './change-status.js';
import { StatusDialog } from './StatusDialog.js';
import { useFolded } from './use-folded.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './Board.module.css';

const FirstRun = lazyView(() => import('../first-run/FirstRun.js'));

/** The numbers of the columns follow changes at the pace of those of Today, which they are. */
const REFRESH_MS = 3000;

interface Asked {
  readonly shipment: Row;
  readonly target?: ShipmentStatus;
  readonly refusal?: Refusal;
}

/** Columns by status. Drag a card, or press `m`, to change it to a status that the transition table allows. */
export default function Board() {
  const [dragged, setDragged] = useState<Row>();
  const [asked, setAsked] = useState<Asked>();
  const [saving, setSaving] = useState<string>();
  const board = useRef<HTMLDivElement>(null);
  useKeptScroll(board, 'board');
  useTitle(t.shell.board);
  const isEmpty = useIsEmpty();
  const today = useToday();
  useRefresh(REFRESH_MS, () => cache.outdateKey(['overview']));
  const ask = useCallback((shipment: Row) => setAsked({ shipment }), []);
  // A card that changed its column by keyboard keeps the focus in its new column.
  useEffect(() => {
    if (asked === undefined) return undefined;
    return () => {
      if (document.activeElement === document.body) document.getElementById(`card-${asked.shipment.id}`)?.focus();
    };
  }, [asked]);

  const drop = async (target: ShipmentStatus) => {
    const shipment = dragged;
    setDragged(undefined);
    if (shipment === undefined || !nextStatuses(shipment.status).includes(target)) return;
    if (!hasWayBack(shipment.status, target)) {
      setAsked({ shipment, target });
      return;
    }
    setSaving(shipment.id);
    const refusal = await changeStatus(shipment, newAttempt(shipment.eTag, { status: target }));
    setSaving(undefined);
    if (refusal === undefined) return;
    if (board.current !== null) setAsked({ shipment, target, refusal });
    else announceRefusal(shipment, refusal, t.board.notChanged(shipment.shipmentCode));
  };

  return (
    <>
      <h1 className={text.unseen}>{t.shell.board}</h1>
      {isEmpty ? (
        <Suspense fallback={null}>
          <FirstRun />
        </Suspense>
      ) : null}
      <div
        ref={board}
        className={styles.board}
        hidden={isEmpty}
        onKeyDown={walk}
        role="group"
        aria-label={t.board.label}
      >
        {COLUMNS.map((status) => (
          <Column
            key={status}
            status={status}
            today={today}
            isOpen={dragged !== undefined && nextStatuses(dragged.status).includes(status)}
            isDragging={dragged !== undefined}
            saving={saving}
            onDrag={setDragged}
            onDrop={() => void drop(status)}
            onMove={ask}
          />
        ))}
      </div>
      {asked === undefined ? null : <StatusDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Whether there are no shipments at all, neither in a column nor on their way there. */
function useIsEmpty(): boolean {
  const columns = useQueries({
    queries: COLUMNS.map((status) => ({ queryKey: columnQuery(status).queryKey, enabled: false })),
  });
  const arrived = useStore(arrivals);
  const isRead = ({ data }: { readonly data: unknown }) =>
    data !== undefined && (data as Rows).pages.every(({ items }) => items.length === 0);
  return arrived.size === 0 && columns.every(isRead);
}

/** Arrow keys move between cards. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const card = (event.target as HTMLElement).closest('article');
  const column = card?.closest('section');
  if (card == null || column == null) return;
  const cards = [...column.querySelectorAll('article')];
  const at = cards.indexOf(card);
  let next: Element | undefined;
  if (event.key === 'ArrowDown') next = cards[at + 1];
  else if (event.key === 'ArrowUp') next = cards[at - 1];
  else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const columns = [...(column.parentElement?.children ?? [])];
    const others =
      event.key === 'ArrowRight'
        ? columns.slice(columns.indexOf(column) + 1)
        : columns.slice(0, columns.indexOf(column)).reverse();
    const beside = others.find((other) => other.querySelector('article') !== null);
    const besideCards = [...(beside?.querySelectorAll('article') ?? [])];
    next = besideCards[Math.min(at, besideCards.length - 1)];
  } else return;
  event.preventDefault();
  next?.querySelector('a')?.focus();
}

interface ColumnProps {
  readonly status: ShipmentStatus;
  readonly today: string;
  readonly isOpen: boolean;
  readonly isDragging: boolean;
  readonly saving: string | undefined;
  readonly onDrag: (shipment: Row | undefined) => void;
  readonly onDrop: () => void;
  readonly onMove: (shipment: Row) => void;
}

function Column({ status, today, isOpen, isDragging, saving, onDrag, onDrop, onMove }: ColumnProps) {
  const { data, error, isPending, fetchNextPage, hasNextPage, refetch } = useInfiniteQuery(columnQuery(status));
  const arrived = useStore(arrivals);
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const readAfter = data?.pages[0]?.readAfter ?? 0;
  const here = new Set(rows.filter((row) => row.status === status && row.isDeleted !== true).map(({ id }) => id));
  const newOnes = newIn(arrived, [status], readAfter).filter((id) => !here.has(id)).length;
  const left = rows.length - here.size;
  const state = isDragging && (isOpen ? styles.open : styles.closed);
  const [isFolded, setIsFolded] = useFolded(status);
  const cards = useRef<HTMLDivElement>(null);
  useKeptScroll(cards, status);
  const { data: overview } = useQuery({ ...overviewQuery({ today }), enabled: hasNextPage });
  const loaded = isPending || hasNextPage ? undefined : { count: here.size + newOnes, more: false };
  const count = hasNextPage ? overview?.byStatus.find((each) => each.status === status) : loaded;
  return (
    <section
      className={classes(styles.column, state, isFolded && styles.folded)}
      aria-labelledby={`column-${status}`}
      onDragOver={(event) => {
        if (isOpen) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <header>
        <h2 id={`column-${status}`}>{formatCode(status)}</h2>
        <span className={styles.count}>{count === undefined ? '' : formatCount(count)}</span>
        {isFinal(status) ? (
          <button
            type="button"
            className={classes(controls.quiet, styles.fold)}
            aria-expanded={!isFolded}
            aria-label={t.board.show(formatCode(status))}
            onClick={() => setIsFolded(!isFolded)}
          >
            {isFolded ? <ChevronRight /> : <ChevronLeft />}
          </button>
        ) : null}
      </header>
      {newOnes + left === 0 || isFolded ? null : (
        <button type="button" className={controls.pill} onClick={() => void refetch()}>
          {[newOnes > 0 && t.board.newOnes(newOnes), left > 0 && t.board.gone(left)].filter(Boolean).join(', ')}
        </button>
      )}
      <div ref={cards} className={styles.cards} hidden={isFolded}>
        <Fault error={error} onRetry={() => void refetch()} />
        {isPending ? <Loading rows={3} /> : null}
        {!isPending && error === null && rows.length === 0 ? (
          <p className={text.empty}>{t.board.nothing[status]}</p>
        ) : null}
        {rows.map((row) => (
          <Card key={row.id} row={row} column={status} isSaving={saving === row.id} onDrag={onDrag} onMove={onMove} />
        ))}
        {hasNextPage ? (
          <button type="button" className={controls.more} onClick={() => void fetchNextPage()}>
            {t.actions.more}
          </button>
        ) : null}
      </div>
    </section>
  );
}

interface CardProps {
  readonly row: Row;
  readonly column: ShipmentStatus;
  readonly isSaving: boolean;
  readonly onDrag: (shipment: Row | undefined) => void;
  readonly onMove: (shipment: Row) => void;
}

const Card = memo(function Card({ row, column, isSaving, onDrag, onMove }: CardProps) {
  const route = routeOf(row);
  const hasLeft = row.status !== column || row.isDeleted === true;
  if (hasLeft) {
    return (
      <article className={classes(styles.card, styles.left)}>
        <Link className={styles.link} href={`/shipments/${row.id}`}>
          <span className={text.code}>{row.shipmentCode}</span> <bdi>{row.shipmentType}</bdi>
        </Link>
        <p>{row.isDeleted === true ? t.board.wasDeleted : t.board.isNow(formatCode(row.status))}</p>
      </article>
    );
  }
  const canMove = session.can('shipments:status') && nextStatuses(row.status).length > 0;
  return (
    <article
      className={classes(styles.card, isSaving && styles.saving)}
      draggable={canMove}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', row.id);
        onDrag(row);
      }}
      onDragEnd={() => onDrag(undefined)}
      onKeyDown={(event) => {
        if (event.key !== 'm' || !canMove) return;
        event.preventDefault();
        onMove(row);
      }}
    >
      <div className={styles.top}>
        <Link id={`card-${row.id}`} className={styles.name} href={`/shipments/${row.id}`} draggable={false}>
          <span className={text.code}>{row.shipmentCode}</span> <bdi>{row.shipmentType}</bdi>
        </Link>
        {canMove ? (
          <button
            type="button"
            className={classes(controls.quiet, styles.change)}
            aria-label={t.board.changeOf(titleOf(row))}
            onClick={() => onMove(row)}
          >
            <Ellipsis />
          </button>
        ) : null}
      </div>
      <p className={styles.route} dir="auto">
        {route ?? t.facts.noAddresses}
      </p>
      <p className={styles.due}>
        {row.deliveryDate === null ? (
          t.facts.noDelivery
        ) : (
          <span>
            <Rich>{t.facts.deliveryOn(<Day day={row.deliveryDate} />)}</Rich>
          </span>
        )}
        {isOverdue(row) ? <strong className={text.overdue}>{t.facts.overdue}</strong> : null}
      </p>
    </article>
  );
});
