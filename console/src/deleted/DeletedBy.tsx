import type { Deletion } from '@waybill/client';
import { authorOf } from '../author.js';
import { Ago } from '../components/Moment.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';

/** By whom and when a record was deleted, for use in a sentence. */
export function DeletedBy({ deletion: { resourceID, deletedBy, deletedAt } }: { readonly deletion: Deletion }) {
  return (
    <Rich>
      {t.deleted.byWhom(<strong>{authorOf(resourceID, deletedBy, deletedAt)}</strong>, <Ago at={deletedAt} />)}
    </Rich>
  );
}
