import type { Move } from '@waybill/client';
import { Moment } from '../components/Moment.js';
import { t } from '../texts/texts.js';
import { Fact, Facts } from './Facts.js';

/** Read-only view of a move. */
export function MoveFacts({ move }: { readonly move: Move }) {
  return (
    <Facts>
      <Fact label={t.fields.labels.orderID}>{move.orderID}</Fact>
      <Fact label={t.facts.created}>
        <Moment at={move.createdAt} />
      </Fact>
      <Fact label={t.fields.labels.remarks} isWide>
        {move.remarks}
      </Fact>
    </Facts>
  );
}
