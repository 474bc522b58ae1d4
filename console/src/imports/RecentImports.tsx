import { useQuery } from '@tanstack/react-query';

import { Link } from 'wouter';
import { Moment } from '../parts/Moment.js';
import { importQuery } from './import-queries.js';
import { recentImports } from './recent-imports.js';
import { t } from '../texts/texts.js';
import text from '../parts/text.module.css';

/** The imports that were uploaded with this browser. */
export function RecentImports() {
  const ids = recentImports();
  return (
    <section aria-labelledby="recent-imports">
      <h2 id="recent-imports">{t.imports.recent}</h2>
      {ids.length === 0 ? <p className={text.empty}>{t.imports.noRecent}</p> : null}
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
      </Link>
      {t.imports.summary(rows, refused, t.imports.states[state])}
    </li>
  );
}
