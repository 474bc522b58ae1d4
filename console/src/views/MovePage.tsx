import { useQuery } from '@tanstack/react-query';
import { isProblem, type Move } from '@waybill/client';
import { Pencil, Plus, Printer } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { addToDraft } from '../edit/add-to-draft.js';
import { DraftBanner } from '../edit/DraftBanner.js';
import { LostDraft } from '../edit/LostDraft.js';
import { RecordForm } from '../edit/RecordForm.js';
import { DeletedRecord } from '../deleted/DeletedRecord.js';
import { deletionQuery } from '../deleted/deletion-queries.js';
import { lastVersion } from '../model/deletions.js';
import type { Value } from '../model/fields.js';
import { Badge } from '../components/Badge.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { OnlyNewest } from '../components/OnlyNewest.js';
import { useKey } from '../components/use-key.js';
import { useTitle } from '../components/use-title.js';
import { formerMoveQuery, moveQuery } from '../queries.js';
import { session } from '../session/session.js';
import { DeleteMove } from './DeleteMove.js';
import { FormerVersion } from './FormerVersion.js';
import { MoveFacts } from './MoveFacts.js';
import { ShipmentCells } from './ShipmentCells.js';
import { Timeline } from './Timeline.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import cells from './ShipmentCells.module.css';
import table from '../components/Table.module.css';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './record.module.css';

export default function MovePage({ id, isEditing }: { readonly id: string; readonly isEditing: boolean }) {
  const { data: found, error, refetch } = useQuery(moveQuery(id));
  const isDeleted = isProblem(error, 'NOT_FOUND');
  const { data: deletion } = useQuery({ ...deletionQuery('move', id), enabled: isDeleted });
  const move = (isDeleted ? lastVersion('move', deletion) : undefined) ?? found;
  useTitle(move === undefined ? undefined : t.record.moveTitle(move.moveCode));
  const [parameters] = useSearchParams();
  const version = parameters.get('version') ?? undefined;
  const [, navigate] = useLocation();
  const canWrite = session.can('moves:write') && move !== undefined && !isDeleted;
  useKey('e', canWrite && !isEditing, () => navigate(`/moves/${id}/edit`));
  if (move === undefined && isDeleted) {
    return (
      <div className={classes(page.page, styles.record)}>
        <header>
          <h1>{t.record.move}</h1>
        </header>
        <div className={styles.main}>
          <DeletedRecord kind="move" id={id} history={{ kind: 'move', id }} />
          <LostDraft kind="move" id={id} />
        </div>
        <Timeline kind="move" id={id} />
      </div>
    );
  }
  if (move === undefined) {
    return (
      <div className={page.page}>
        <Fault error={error} onRetry={() => void refetch()} />
        {error === null ? <Loading rows={8} /> : null}
      </div>
    );
  }
  const restore = (values: Record<string, Value>) => {
    addToDraft('move', move, values);
    navigate(`/moves/${id}/edit`);
  };
  const shown = () => {
    if (isEditing) {
      return <RecordForm kind="move" record={move} isDeleted={isDeleted} onLeave={() => navigate(`/moves/${id}`)} />;
    }
    if (version !== undefined && version !== move.eTag) {
      return <FormerMove id={id} version={version} onRestore={canWrite ? restore : undefined} />;
    }
    return (
      <>
        <DraftBanner kind="move" id={id} />
        <MoveFacts move={move} />
        {isDeleted ? null : <Shipments move={move} />}
        <OnlyNewest next={move.shipmentsNext} />
      </>
    );
  };
  return (
    <div className={classes(page.page, styles.record)}>
      <header className={page.head}>
        <h1>
          {' '}
          {t.record.move} <span className={text.code}>{move.moveCode}</span>
        </h1>
        {isDeleted ? <Badge tone="warn">{t.list.deleted}</Badge> : null}
        <div className={controls.actions}>
          {session.can('shipments:write') && !isEditing && !isDeleted ? (
            <Link className={controls.button} href={`/shipments/new?moveID=${move.id}`}>
              <Plus />
              {t.record.addShipment}
            </Link>
          ) : null}
          {canWrite && !isEditing ? <DeleteMove move={move} /> : null}
          {(move.shipments ?? []).length > 0 && !isEditing && !isDeleted ? (
            <Link className={controls.button} href={`/moves/${move.moveCode}/print`}>
              <Printer />
              {t.record.printAll}
            </Link>
          ) : null}
          {canWrite && !isEditing ? (
            <Link className={classes(controls.button, controls.primary)} href={`/moves/${id}/edit`}>
              <Pencil />
              {t.actions.edit}
            </Link>
          ) : null}
        </div>
      </header>
      <div className={styles.main}>
        {isDeleted ? (
          <DeletedRecord kind="move" id={move.id} history={{ kind: 'move', id: move.id }} />
        ) : (
          <Fault error={error} />
        )}
        {shown()}
      </div>
      <Timeline
        kind="move"
        id={move.id}
        version={version ?? move.eTag}
        onRestore={canWrite ? (field, value) => restore({ [field]: value }) : undefined}
      />
    </div>
  );
}

interface FormerMoveProps {
  readonly id: string;
  readonly version: string;
  readonly onRestore: ((values: Record<string, Value>) => void) | undefined;
}

function FormerMove({ id, version, onRestore }: FormerMoveProps) {
  const { data: former, error } = useQuery(formerMoveQuery(id, version));
  return (
    <FormerVersion kind="move" {...{ id, former, error, onRestore }}>
      {former === undefined ? null : <MoveFacts move={former} />}
    </FormerVersion>
  );
}

function Shipments({ move: { moveCode, shipments: rows = [] } }: { readonly move: Move }) {
  return (
    <section>
      <h2 id="shipments-of-move">{t.list.title}</h2>
      {rows.length === 0 ? <p className={text.empty}>{t.record.noShipments}</p> : null}
      <div className={classes(table.table, cells.flat)} role="table" aria-labelledby="shipments-of-move">
        {rows.map((row) => (
          <div key={row.id} role="row" className={table.row}>
            <ShipmentCells row={row} />
          </div>
        ))}
      </div>
      <p className={text.hint}>
        <Link href={`/deleted?moveID=${moveCode}`}>{t.deleted.ofMove}</Link>
      </p>
    </section>
  );
}
