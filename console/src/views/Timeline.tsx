import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry, ShipmentStatus } from '@waybill/client';
import { Link } from 'wouter';
import { authorOf, isOwnChange } from '../author.js';
import { versionOf } from '../edit/edit-session.js';
import { fieldOf, labelOf, type Value, type Values } from '../model/fields.js';
import { formatMoment, formatValue } from '../model/format.js';
import { saysWhatChanged } from '../model/last-change.js';
import { hasWayBack } from '../model/status.js';
import { replacedBy } from '../model/undoable.js';
import { Fault } from '../components/Fault.js';
import { explain } from '../components/faults.js';
import { Loading } from '../components/Loading.js';
import { Moment } from '../components/Moment.js';
import { announce } from '../components/notice.js';
import { formerMoveQuery, formerShipmentQuery, historyQuery, queryClient, type HistoryOf } from '../queries.js';
import { session } from '../session/session.js';
import { undo } from '../undo/undo.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import changeList from '../components/changes.module.css';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './Timeline.module.css';

interface TimelineProps extends HistoryOf {
  /** The version being viewed. */
  readonly version?: string | undefined;
  /** Set if earlier values can be restored. */
  readonly onRestore?: ((field: string, value: Value) => void) | undefined;
}

/** The history of a record, newest first. */
export function Timeline({ kind, id, version, onRestore }: TimelineProps) {
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(historyQuery({ kind, id }));
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className={styles.timeline} aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t.record.timeline}</h2>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={4} /> : null}
      {!isPending && error === null && entries.length === 0 ? <p className={text.empty}>{t.record.noHistory}</p> : null}
      <ol>
        {entries.map((entry, index) => (
          <li
            key={`${entry.resourceID} ${entry.changedAt} ${entry.type}`}
            className={entry.eTag === version ? styles.current : undefined}
          >
            <Entry entry={entry} kind={kind} id={id} onRestore={onRestore} />
            {isRemoved(entry, id, entries) && session.can('shipments:write') ? (
              <Link
                className={controls.quiet}
                href={`/shipments/${id}/${entry.resource}s/${entry.resourceID}`}
                aria-label={t.deleted.askFor(nameIn(entry))}
              >
                {t.deleted.ask}
              </Link>
            ) : null}
            {entry.resourceID === id ? (
              <UndoEntry entry={entry} kind={kind} before={replacedBy(entries, index, hasWayBack)} />
            ) : null}
          </li>
        ))}
      </ol>
      {hasNextPage ? (
        <button type="button" className={controls.more} onClick={() => void fetchNextPage()}>
          {t.record.showEarlier}
        </button>
      ) : null}
    </section>
  );
}

/** Whether an entry is the removal of an agent or service that has not come back, from a shipment that exists. */
function isRemoved(entry: HistoryEntry, id: string, entries: readonly HistoryEntry[]): boolean {
  const latest = (resourceID: string) => entries.find((each) => each.resourceID === resourceID);
  return (
    entry.type === 'deleted' &&
    entry.resourceID !== id &&
    latest(entry.resourceID) === entry &&
    latest(id)?.type !== 'deleted'
  );
}

/** Their entries list every value, although nothing else was changed. */
const WITH_ALL_VALUES: readonly HistoryEntry['type'][] = ['created', 'deleted', 'restored'];

function Entry({ entry, kind, id, onRestore }: { readonly entry: HistoryEntry } & TimelineProps) {
  const { changedBy, changedAt, resource, resourceID, eTag, type, changes } = entry;
  const isOwn = resource === kind && resourceID === id;
  const moment = <Moment at={changedAt} />;
  const isTold = !WITH_ALL_VALUES.includes(type) && saysWhatChanged(entry);
  // Moves, shipments and their children have only such values.
  const values = changes as readonly { field: string; from?: Value; to: Value }[];
  const said = isTold ? values : [];
  const last = type === 'deleted' ? values.filter(({ from }) => from != null) : [];
  return (
    <>
      <p className={styles.who}>
        <strong>{authorOf(resourceID, changedBy, changedAt)}</strong>{' '}
        {isOwn && eTag !== null && !hasNoValues(entry) ? (
          <Link href={`/${kind}s/${id}?version=${eTag}`} aria-label={t.record.asItWas(formatMoment(changedAt))}>
            {moment}
          </Link>
        ) : (
          moment
        )}
      </p>
      {said.length === 0 ? <p className={styles.what}>{sentenceOf(entry, isOwn)}</p> : null}
      {last.length === 0 ? null : (
        <details>
          <summary>{t.record.lastValues}</summary>
          <ul className={changeList.changes}>
            {last.map(({ field, from }) => (
              <li key={field}>
                <span className={changeList.label}>{labelOf(field)}</span>{' '}
                <span dir="auto">{formatValue(field, from ?? null)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {said.length === 0 ? null : (
        <ul className={changeList.changes}>
          {said.map(({ field, from, to }) => (
            <li key={field}>
              <span className={changeList.label}>
                {isOwn ? '' : `${kindOf(resource)}: `}
                {labelOf(field)}
              </span>{' '}
              <span className={changeList.from} dir="auto">
                {formatValue(field, from ?? null)}
              </span>{' '}
              <span aria-label={t.facts.arrow}>→</span> <span dir="auto">{formatValue(field, to)}</span>
              {isOwn && onRestore !== undefined && fieldOf(field) !== undefined ? (
                <button
                  type="button"
                  className={classes(controls.quiet, styles.restore)}
                  aria-label={t.record.restoreValue(labelOf(field), formatValue(field, from ?? null))}
                  onClick={() => onRestore(field, from ?? null)}
                >
                  {t.record.restore}
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface UndoEntryProps {
  readonly entry: HistoryEntry;
  readonly kind: HistoryOf['kind'];
  readonly before: Values | undefined;
}

/** Offers to undo a change that the user made, in any tab. */
function UndoEntry({ entry: { resourceID: id, eTag, changedBy, changedAt }, kind, before }: UndoEntryProps) {
  if (before === undefined || eTag === null || !isOwnChange(id, changedBy, changedAt)) return null;
  const status = before['status'] as ShipmentStatus | undefined;
  if (!session.can(status === undefined ? `${kind}s:write` : 'shipments:status')) return null;
  const act = async () => {
    if (kind === 'move') {
      const record = await queryClient.query(formerMoveQuery(id, eTag));
      undo({ kind: 'edit', of: kind, record, version: versionOf(record), before });
      return;
    }
    const record = await queryClient.query(formerShipmentQuery(id, eTag));
    if (status !== undefined) undo({ kind: 'status', shipment: record, status });
    else undo({ kind: 'edit', of: kind, record, version: versionOf(record), before });
  };
  const labels = Object.keys(before).map((field) => t.inSentence(labelOf(field)));
  return (
    <button
      type="button"
      className={controls.quiet}
      aria-label={t.undo.ofFields(labels.join(', '))}
      onClick={() => {
        act().catch((error: unknown) => announce(explain(error), { isFault: true }));
      }}
    >
      {t.actions.undo}
    </button>
  );
}

function kindOf(resource: string): string {
  const kinds: Readonly<Record<string, string | undefined>> = t.kinds;
  return kinds[resource] ?? resource;
}

/** If only the author was erased, the entry still has its values. */
function hasNoValues({ erased, changes }: HistoryEntry): boolean {
  return erased === true && changes.length === 0;
}

/** What an entry with all values calls its record. */
function nameIn({ changes }: HistoryEntry): string {
  const name = changes.find(({ field }) => ['shipmentCode', 'code', 'firstName'].includes(field));
  return String(name?.to ?? name?.from ?? '');
}

function sentenceOf(entry: HistoryEntry, isOwn: boolean): string {
  const { type, resource, changes } = entry;
  const kinds: Readonly<Record<string, string | undefined>> = isOwn ? t.record.what.own : t.record.what.part;
  const kind = kinds[resource] ?? resource;
  const what = isOwn ? kind : `${kind} ${nameIn(entry)}`.trim();
  if (type === 'created') return isOwn ? t.record.created(what) : t.record.added(what);
  if (type === 'deleted') return isOwn ? t.record.deletedIt(what) : t.record.removed(what);
  if (type === 'restored') return t.record.restoredIt(what);
  if (type === 'erased') return t.record.erased(what);
  if (hasNoValues(entry)) return t.record.valuesErased(what);
  if (changes.length > 0) return t.record.oldUnknown(what);
  return t.record.savedOnly(what);
}
