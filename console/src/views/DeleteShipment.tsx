import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { deleteShipment } from '../edit/records.js';
import { ConfirmRemoval } from '../components/ConfirmRemoval.js';
import { session } from '../session/session.js';
import { t } from '../texts/texts.js';

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
          {t.removal.open}
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
          <p>
            {sentenceOf(shipment)}
            {t.removal.canRestore}
          </p>
        </ConfirmRemoval>
      ) : null}
    </>
  );
}

function sentenceOf({ pickupAddress, destinationAddress, agents = [], services = [], servicesNext }: Shipment): string {
  const addresses = [pickupAddress, destinationAddress].filter(Boolean).length;
  const parts = [
    addresses > 0 && t.removal.addresses(addresses),
    agents.length > 0 && t.removal.agents(agents.length),
    typeof servicesNext === 'string'
      ? t.removal.allServices
      : services.length > 0 && t.removal.services(services.length),
  ].filter((part) => part !== false);
  return parts.length === 0 ? t.removal.nothingWithIt : t.removal.withIt(parts);
}
