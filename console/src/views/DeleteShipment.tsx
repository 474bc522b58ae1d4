import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { deleteShipment } from '../edit/records.js';
import { ConfirmRemoval } from '../parts/ConfirmRemoval.js';
import { session } from '../session/session.js';

interface DeleteShipmentProps {
  readonly shipment: Shipment;
  readonly isDeleted: boolean;
}

/** Deletes a shipment after naming everything that is deleted with it. */
export function DeleteShipment({ shipment, isDeleted }: DeleteShipmentProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      {isDeleted ? null : (
        <button type="button" onClick={() => setIsAsking(true)}>
          <Trash2 />
          Delete…
        </button>
      )}
      {/* Stays open if the event of the deletion is faster than its response. */}
      {isAsking ? (
        <ConfirmRemoval
          verb="delete"
          kind="shipment"
          record={shipment}
          name={shipment.shipmentCode}
          remove={(options) => deleteShipment(shipment, options)}
          onClose={() => setIsAsking(false)}
          onRemoved={() => navigate(session.can('moves:read') ? `/moves/${shipment.moveID}` : '/', { replace: true })}
        >
          <p>{sentenceOf(shipment)} This cannot be undone. The move and the history of the shipment stay readable.</p>
        </ConfirmRemoval>
      ) : null}
    </>
  );
}

function sentenceOf({ pickupAddress, destinationAddress, agents = [], services = [], servicesNext }: Shipment): string {
  const addresses = [pickupAddress, destinationAddress].filter(Boolean).length;
  const parts = [
    counted(addresses, 'address', 'addresses'),
    counted(agents.length, 'agent', 'agents'),
    typeof servicesNext === 'string' ? 'all its services' : counted(services.length, 'service', 'services'),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return 'The shipment has no addresses, agents or services.';
  const last = parts.pop() ?? '';
  return `Deleted with it: ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`;
}
