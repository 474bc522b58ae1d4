import { useQuery } from '@tanstack/react-query';
import { isProblem, type Shipment } from '@waybill/client';
import { useState } from 'react';
import { ArrowRightLeft, Copy, Pencil, Printer } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { StatusDialog } from '../board/StatusDialog.js';
import { DraftBanner } from '../edit/DraftBanner.js';
import { LostDraft } from '../edit/LostDraft.js';
import { RecordForm } from '../edit/RecordForm.js';
import { addToDraft } from '../edit/add-to-draft.js';
import type { ChildKind } from '../edit/records.js';
import { DeletedRecord } from '../deleted/DeletedRecord.js';
import { deletionQuery } from '../deleted/deletion-queries.js';
import { lastVersion } from '../model/deletions.js';
import type { Value } from '../model/fields.js';
import { titleOf } from '../model/rows.js';
import { nextStatuses } from '../model/status.js';
import { Badge } from '../components/Badge.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { StatusMark } from '../components/StatusMark.js';
import { useKey } from '../components/use-key.js';
import { useTitle } from '../components/use-title.js';
import { formerShipmentQuery, shipmentQuery } from '../queries.js';
import { session } from '../session/session.js';
import { DeleteShipment } from './DeleteShipment.js';
import { FormerVersion } from './FormerVersion.js';
import { ChildForm } from './ChildForm.js';
import { Children } from './Children.js';
import { ShipmentFacts } from './ShipmentFacts.js';
import { Timeline } from './Timeline.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './record.module.css';

/** The view of a shipment: details, the form, or the form of an agent or service. */
export type ShipmentView = 'facts' | 'edit' | { readonly kind: ChildKind; readonly id: string };

interface PageProps {
  readonly id: string;
  readonly view: ShipmentView;
}

export default function ShipmentPage({ id, view }: PageProps) {
  const { data: found, error, refetch } = useQuery(shipmentQuery(id));
  const isDeleted = isProblem(error, 'NOT_FOUND');
  const { data: deletion } = useQuery({ ...deletionQuery('shipment', id), enabled: isDeleted });
  const shipment = (isDeleted ? lastVersion('shipment', deletion) : undefined) ?? found;
  useTitle(shipment && titleOf(shipment));
  const [parameters] = useSearchParams();
  const version = parameters.get('version') ?? undefined;
  const [, navigate] = useLocation();
  const canEdit = session.can('shipments:write') && !isDeleted;
  const leave = () => navigate(`/shipments/${id}`);
  const restore = (values: Record<string, Value>) => {
    if (shipment === undefined) return;
    addToDraft('shipment', shipment, values);
    navigate(`/shipments/${id}/edit`);
  };
  if (shipment === undefined && error !== null && !isDeleted) {
    return (
      <div className={page.page}>
        <Fault error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  const shown = (current: Shipment) => {
    if (view === 'edit') {
      return <RecordForm kind="shipment" record={current} isDeleted={isDeleted} onLeave={leave} />;
    }
    if (view !== 'facts')
      return <ChildForm key={view.id} shipment={current} {...view} isDeleted={isDeleted} onLeave={leave} />;
    if (version !== undefined && version !== current.eTag) {
      return <FormerShipment id={id} version={version} onRestore={canEdit ? restore : undefined} />;
    }
    return (
      <>
        <DraftBanner kind="shipment" id={id} />
        <ShipmentFacts shipment={current} />
        {isDeleted ? null : <Children shipment={current} kind="agent" canEdit={canEdit} />}
        {isDeleted ? null : <Children shipment={current} kind="service" canEdit={canEdit} />}
      </>
    );
  };
  return (
    <div className={classes(page.page, styles.record)}>
      {shipment === undefined ? null : <Head shipment={shipment} isReading={view === 'facts'} isDeleted={isDeleted} />}
      {shipment === undefined && isDeleted ? (
        <header>
          <h1>{t.kinds.shipment}</h1>
        </header>
      ) : null}
      <div className={styles.main}>
        {isDeleted ? (
          <DeletedRecord kind="shipment" id={id} history={{ kind: 'shipment', id }} />
        ) : (
          <Fault error={error} />
        )}
        {shipment === undefined && !isDeleted ? <Loading rows={8} /> : null}
        {shipment === undefined && isDeleted ? <LostDraft kind="shipment" id={id} /> : null}
        {shipment === undefined ? null : shown(shipment)}
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
  readonly isReading: boolean;
  readonly isDeleted: boolean;
}

function Head({ shipment, isReading, isDeleted }: HeadProps) {
  const [, navigate] = useLocation();
  const [isMoving, setIsMoving] = useState(false);
  const canEdit = session.can('shipments:write') && isReading && !isDeleted;
  const canMove = session.can('shipments:status') && nextStatuses(shipment.status).length > 0 && !isDeleted;
  useKey('e', canEdit, () => navigate(`/shipments/${shipment.id}/edit`));
  useKey('m', canMove && isReading, () => setIsMoving(true));
  return (
    <header className={page.head}>
      <h1>
        <b className={text.code}>{shipment.shipmentCode}</b> <span dir="auto">{shipment.shipmentType}</span>
      </h1>
      <StatusMark status={shipment.status} />
      {isDeleted ? <Badge tone="warn">{t.list.deleted}</Badge> : null}
      <div className={controls.actions}>
        {isReading && !isDeleted ? (
          <Link className={controls.button} href={`/shipments/${shipment.shipmentCode}/print`}>
            <Printer />
            {t.record.printWaybill}
          </Link>
        ) : null}
        {canMove ? (
          <button type="button" onClick={() => setIsMoving(true)}>
            <ArrowRightLeft />
            {t.actions.askStatus}
          </button>
        ) : null}
        {canEdit ? (
          <Link className={controls.button} href={`/shipments/new?copy=${shipment.id}`}>
            <Copy />
            {t.record.duplicate}
          </Link>
        ) : null}
        {session.can('shipments:write') && isReading ? (
          <DeleteShipment shipment={shipment} isDeleted={isDeleted} />
        ) : null}
        {canEdit ? (
          <Link className={classes(controls.button, controls.primary)} href={`/shipments/${shipment.id}/edit`}>
            <Pencil />
            {t.actions.edit}
          </Link>
        ) : null}
      </div>
      {isMoving ? <StatusDialog shipment={shipment} onClose={() => setIsMoving(false)} /> : null}
    </header>
  );
}

interface FormerShipmentProps {
  readonly id: string;
  readonly version: string;
  readonly onRestore: ((values: Record<string, Value>) => void) | undefined;
}

function FormerShipment({ id, version, onRestore }: FormerShipmentProps) {
  const { data: former, error } = useQuery(formerShipmentQuery(id, version));
  const note = former && <Rich>{t.record.withStatus(<StatusMark status={former.status} />)}</Rich>;
  return (
    <FormerVersion kind="shipment" {...{ id, former, error, note, onRestore }}>
      {former === undefined ? null : <ShipmentFacts shipment={former} />}
    </FormerVersion>
  );
}
