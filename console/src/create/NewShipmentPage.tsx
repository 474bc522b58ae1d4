import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { shipmentQuery } from '../queries.js';
import { session } from '../session/session.js';
import { ById } from '../views/ById.js';
import { Creation, type Start } from './creation.js';
import { ShipmentCreator } from './ShipmentCreator.js';
import { startFrom, startInMove } from './start.js';
import { t } from '../texts/texts.js';
import page from '../components/page.module.css';

/** A new shipment: from scratch, in a given move, or as a copy of another. Each of them has a draft of its own. */
export default function NewShipmentPage() {
  const [parameters] = useSearchParams();
  const copied = parameters.get('copy');
  const moveID = parameters.get('moveID');
  if (!session.can('shipments:write')) {
    return (
      <div className={page.page}>
        <h1>{t.actions.create}</h1>
        <p>{t.create.notAllowed}</p>
      </div>
    );
  }
  if (copied !== null) {
    return (
      <ById kind="shipment" name={copied}>
        {(id) => <Copy key={id} id={id} />}
      </ById>
    );
  }
  if (moveID === null) return <Creator key="new" slot="new" start={undefined} />;
  return (
    <ById kind="move" name={moveID}>
      {(id) => <Creator key={id} slot={`new-in-${id}`} start={startInMove(id)} />}
    </ById>
  );
}

function Copy({ id }: { readonly id: string }) {
  const { data: shipment, error, refetch } = useQuery(shipmentQuery(id));
  if (shipment === undefined) {
    return (
      <div className={page.page}>
        <h1>{t.actions.create}</h1>
        <Fault error={error} onRetry={() => void refetch()} />
        {error === null ? <Loading rows={6} /> : null}
      </div>
    );
  }
  return <Creator slot={`copy-of-${id}`} start={startFrom(shipment)} copied={shipment.shipmentCode} />;
}

interface CreatorProps {
  readonly slot: string;
  readonly start: Start | undefined;
  readonly copied?: string;
}

/** Continues the creation that is kept under this slot, or starts one. */
function Creator({ slot, start, copied }: CreatorProps) {
  const [{ creation, isRestored }] = useState(() => {
    const kept = Creation.open(slot);
    const isNew = kept.isEmpty;
    if (isNew && start !== undefined) kept.begin(start);
    return { creation: kept, isRestored: !isNew };
  });
  return <ShipmentCreator creation={creation} isRestored={isRestored} copied={copied} />;
}
