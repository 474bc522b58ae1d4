import { useQuery } from '@tanstack/react-query';
import { isProblem, type Shipment } from '@waybill/client';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { StatusDialog } from '../board/StatusDialog.js';
import { DraftBanner } from '../edit/DraftBanner.js';
import { RecordForm } from '../edit/RecordForm.js';
import { addToDraft } from '../edit/add-to-draft.js';
import { FIELDS, valuesOf, type Value } from '../model/fields.js';
import { nextStatuses } from '../model/status.js';
import { explain } from '../parts/faults.js';
import { Moment } from '../parts/Moment.js';
import { StatusMark } from '../parts/StatusMark.js';
import { useKey } from '../parts/use-key.js';
import { shipmentQuery, versionQuery } from '../queries.js';
import { session } from '../session/session.js';
import { ShipmentFacts } from './ShipmentFacts.js';
import { Timeline } from './Timeline.js';

interface PageProps {
  readonly id: string;
  readonly isEditing: boolean;
}

export function ShipmentPage({ id, isEditing }: PageProps) {
  const { data: shipment, error } = useQuery(shipmentQuery(id));
  const [parameters] = useSearchParams();
  const version = parameters.get('version') ?? undefined;
  const isDeleted = isProblem(error, 'NOT_FOUND');
  const [, navigate] = useLocation();
  const canEdit = session.can('shipments:write') && !isDeleted;
  const restore = (values: Record<string, Value>) => {
    if (shipment === undefined) return;
    addToDraft('shipment', shipment, values);
    navigate(`/shipments/${id}/edit`);
  };
  if (shipment === undefined && error !== null && !isDeleted) {
    return (
      <div className="page">
        <p className="fault" role="alert">
          {explain(error)}
        </p>
      </div>
    );
  }
  return (
    <div className="page record">
      <div className="record-main">
        {shipment === undefined ? null : <Head shipment={shipment} isEditing={isEditing} isDeleted={isDeleted} />}
        {isDeleted ? (
          <p className="banner warning" role="alert">
            {shipment === undefined ? 'There is no such shipment, or no longer.' : 'This shipment was deleted.'} The
            timeline tells what is known of it.
          </p>
        ) : null}
        {shipment === undefined ? null : isEditing ? (
          <RecordForm
            kind="shipment"
            record={shipment}
            isDeleted={isDeleted}
            onLeave={() => navigate(`/shipments/${id}`)}
          />
        ) : version !== undefined && version !== shipment.eTag ? (
          <FormerVersion shipment={shipment} version={version} onRestore={canEdit ? restore : undefined} />
        ) : (
          <>
            <DraftBanner kind="shipment" id={id} />
            <ShipmentFacts shipment={shipment} />
          </>
        )}
      </div>
      <Timeline
        kind="shipment"
        id={id}
        version={version ?? shipment?.eTag}
        onRestore={canEdit ? (field, value) => restore({ [field]: value }) : undefined}
      />
    </div>
  );
}

interface HeadProps {
  readonly shipment: Shipment;
  readonly isEditing: boolean;
  readonly isDeleted: boolean;
}

function Head({ shipment, isEditing, isDeleted }: HeadProps) {
  const [, navigate] = useLocation();
  const [isMoving, setIsMoving] = useState(false);
  const canEdit = session.can('shipments:write') && !isEditing && !isDeleted;
  const canMove = session.can('shipments:status') && nextStatuses(shipment.status).length > 0 && !isDeleted;
  useKey('e', canEdit, () => navigate(`/shipments/${shipment.id}/edit`));
  useKey('m', canMove && !isEditing, () => setIsMoving(true));
  return (
    <header className="record-head">
      <h1>
        {shipment.shipmentType}{' '}
        {shipment.move === undefined ? null : <span className="code">{shipment.move.moveCode}</span>}
      </h1>
      <StatusMark status={shipment.status} />
      <div className="actions">
        {canMove ? (
          <button type="button" onClick={() => setIsMoving(true)}>
            Move to…
          </button>
        ) : null}
        {canEdit ? (
          <Link className="button primary" href={`/shipments/${shipment.id}/edit`}>
            Edit
          </Link>
        ) : null}
      </div>
      {isMoving ? <StatusDialog shipment={shipment} onClose={() => setIsMoving(false)} /> : null}
    </header>
  );
}

interface FormerVersionProps {
  readonly shipment: Shipment;
  readonly version: string;
  readonly onRestore: ((values: Record<string, Value>) => void) | undefined;
}

function FormerVersion({ shipment, version, onRestore }: FormerVersionProps) {
  const { data: former, error } = useQuery(versionQuery(shipment.id, version));
  const restored = () => {
    if (former === undefined) return;
    const then = valuesOf(former);
    onRestore?.(Object.fromEntries(FIELDS.shipment.map(({ name }) => [name, then[name] ?? null])));
  };
  return (
    <>
      <div className="banner">
        <p>
          {former === undefined ? 'A former version' : null}
          {former === undefined ? null : (
            <>
              As it was after the change of <Moment at={former.updatedAt} />, in status{' '}
              <StatusMark status={former.status} />
            </>
          )}
        </p>
        <div className="actions">
          <Link className="button" href={`/shipments/${shipment.id}`}>
            Back to now
          </Link>
          {onRestore === undefined ? null : (
            <button type="button" disabled={former === undefined} onClick={restored}>
              Restore these values…
            </button>
          )}
        </div>
      </div>
      {error === null ? null : <p className="fault">{explain(error)}</p>}
      {former === undefined ? null : <ShipmentFacts shipment={former} />}
    </>
  );
}
