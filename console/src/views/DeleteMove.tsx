import type { Move } from '@waybill/client';
import { useState } from 'react';
import { Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { deleteMove } from '../edit/records.js';
import { ConfirmRemoval } from '../components/ConfirmRemoval.js';
import { t } from '../texts/texts.js';

/** Deletes a move. One that still has shipments is refused by the service. */
export function DeleteMove({ move }: { readonly move: Move }) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        <Trash2 />
        {t.removal.open}
      </button>
      {isAsking ? (
        <ConfirmRemoval
          verb="delete"
          kind="move"
          record={move}
          name={move.moveCode}
          remove={(options) => deleteMove(move, options)}
          onClose={() => setIsAsking(false)}
          onRemoved={() => navigate('/moves', { replace: true })}
        >
          <p>
            {move.shipments?.length === 0 ? t.removal.emptyMove : t.removal.fullMove}
            {t.removal.canRestore}
          </p>
        </ConfirmRemoval>
      ) : null}
    </>
  );
}
