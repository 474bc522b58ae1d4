import { queryOptions, useQuery } from '@tanstack/react-query';
import { isProblem } from '@waybill/client';
import type { ReactNode } from 'react';
import { client } from '../api.js';
import { findDeletion } from '../deleted/deletion-queries.js';
import { UUID } from '../model/codes.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import type { HistoryOf } from '../queries.js';
import page from '../components/page.module.css';

/** A code is never given to another record, so its id is read once. Deleted records keep theirs. */
function idQuery(kind: HistoryOf['kind'], code: string) {
  return queryOptions({
    queryKey: ['id', kind, code],
    queryFn: async ({ signal }): Promise<string> => {
      try {
        const read = kind === 'shipment' ? client.shipments.get(code, { signal }) : client.moves.get(code, { signal });
        return (await read).id;
      } catch (error) {
        const deletion = isProblem(error, 'NOT_FOUND') && (await findDeletion(code, { resource: [kind], signal }));
        if (deletion) return deletion.resourceID;
        throw error;
      }
    },
  });
}

interface ByIdProps {
  readonly kind: HistoryOf['kind'];
  /** The id or the code in the URL, in any case. */
  readonly name: string;
  /** Also called with the code if no record has it. */
  readonly children: (id: string) => ReactNode;
}

/** Resolves a code before the view is shown: events, drafts and copies in the cache refer to records by their ids. */
export function ById({ kind, name, children }: ByIdProps) {
  const isID = UUID.test(name);
  const code = name.toUpperCase();
  const { data: id, error, refetch } = useQuery({ ...idQuery(kind, code), enabled: !isID });
  if (isID) return children(name.toLowerCase());
  if (id !== undefined) return children(id);
  if (isProblem(error, 'NOT_FOUND')) return children(code);
  return (
    <div className={page.page}>
      {error === null ? <Loading rows={6} /> : <Fault error={error} onRetry={() => void refetch()} />}
    </div>
  );
}
