import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { addToDraft } from '../edit/add-to-draft.js';
import { DraftBanner } from '../edit/DraftBanner.js';
import { RecordForm } from '../edit/RecordForm.js';
import { explain } from '../parts/faults.js';
import { Moment } from '../parts/Moment.js';
import { useKey } from '../parts/use-key.js';
import { moveQuery, type Row } from '../queries.js';
import { session } from '../session/session.js';
import { Fact, Facts } from './Facts.js';
import { ShipmentCells } from './List.js';
import { Timeline } from './Timeline.js';

export function MovePage({ id, isEditing }: { readonly id: string; readonly isEditing: boolean }) {
  const { data: move, error } = useQuery(moveQuery(id));
  const [, navigate] = useLocation();
  const canEdit = session.can('moves:write') && move !== undefined && !isEditing;
  // By its id, which the events of the move name.
  useEffect(() => {
    if (move !== undefined && move.id !== id) navigate(`/moves/${move.id}`, { replace: true });
  }, [move, id, navigate]);
  useKey('e', canEdit, () => navigate(`/moves/${id}/edit`));
  if (move === undefined) {
    return (
      <div className="page">
        {error === null ? null : (
          <p className="fault" role="alert">
            {explain(error)}
          </p>
        )}
      </div>
    );
  }
  return (
    <div className="page record">
      <div className="record-main">
        <header className="record-head">
          <h1>
            Move <span className="code">{move.moveCode}</span>
          </h1>
          <div className="actions">
            {canEdit ? (
              <Link className="button primary" href={`/moves/${id}/edit`}>
                Edit
              </Link>
            ) : null}
          </div>
        </header>
        {error === null ? null : (
          <p className="banner warning" role="alert">
            {explain(error)}
          </p>
        )}
        {isEditing ? (
          <RecordForm kind="move" record={move} isDeleted={error !== null} onLeave={() => navigate(`/moves/${id}`)} />
        ) : (
          <>
            <DraftBanner kind="move" id={id} />
            <Facts>
              <Fact label="Order">{move.orderID}</Fact>
              <Fact label="Created">
                <Moment at={move.createdAt} />
              </Fact>
              <Fact label="Remarks" isWide>
                {move.remarks}
              </Fact>
            </Facts>
            <Shipments rows={move.shipments ?? []} />
          </>
        )}
      </div>
      <Timeline
        kind="move"
        id={move.id}
        version={move.eTag}
        onRestore={
          session.can('moves:write')
            ? (field, value) => {
                addToDraft('move', move, { [field]: value });
                navigate(`/moves/${id}/edit`);
              }
            : undefined
        }
      />
    </div>
  );
}

function Shipments({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <section>
      <h2 id="shipments-of-move">Shipments</h2>
      {rows.length === 0 ? <p className="empty">This move has no shipments.</p> : null}
      <div className="table flat" role="table" aria-labelledby="shipments-of-move">
        {rows.map((row) => (
          <div key={row.id} role="row" className="row">
            <ShipmentCells row={row} />
          </div>
        ))}
      </div>
    </section>
  );
}
