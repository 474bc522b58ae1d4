import { useQuery } from '@tanstack/react-query';
import type { Import } from '@waybill/client';
import { Link } from 'wouter';
import { Moment } from '../parts/Moment.js';
import { importQuery } from './import-queries.js';
import { recentImports } from './recent-imports.js';
import text from '../parts/text.module.css';

const STATES: Readonly<Record<Import['state'], string>> = {
  ready: 'not applied yet',
  applying: 'being applied',
  applied: 'applied',
};

/** The imports that were uploaded with this browser. */
export function RecentImports() {
  const ids = recentImports();
  return (
    <section aria-labelledby="recent-imports">
      <h2 id="recent-imports">Recent imports from this browser</h2>
      {ids.length === 0 ? <p className={text.empty}>None yet. A file that you upload appears here.</p> : null}
      <ul>
        {ids.map((id) => (
          <RecentImport key={id} id={id} />
        ))}
      </ul>
    </section>
  );
}

function RecentImport({ id }: { readonly id: string }) {
  const { data, error } = useQuery(importQuery(id));
  if (data === undefined) return error === null ? <li>…</li> : null;
  const { createdAt, rows, refused, state } = data;
  return (
    <li>
      <Link href={`/imports/${id}`}>
        <Moment at={createdAt} />
      </Link>{' '}
      {rows === 1 ? '1 row' : `${rows.toLocaleString()} rows`}
      {refused === 0 ? '' : `, ${refused.toLocaleString()} refused`}, {STATES[state]}
    </li>
  );
}
