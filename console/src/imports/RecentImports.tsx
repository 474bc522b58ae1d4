import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Fault } from '../components/Fault.js';
import { Moment } from '../components/Moment.js';
import { recentImportsQuery } from './import-queries.js';
import { t } from '../texts/texts.js';
import text from '../components/text.module.css';

/** The newest imports, of everybody. */
export function RecentImports() {
  const { data, error, refetch } = useQuery(recentImportsQuery());
  return (
    <section aria-labelledby="recent-imports">
      <h2 id="recent-imports">{t.imports.recent}</h2>
      <Fault error={error} onRetry={() => void refetch()} />
      {data?.items.length === 0 ? <p className={text.empty}>{t.imports.noRecent}</p> : null}
      <ul>
        {data?.items.map(({ id, fileName, createdAt, createdBy, rows, refused, state }) => (
          <li key={id}>
            <Link href={`/imports/${id}`}>
              {/* A replica of an older version does not tell the name. */}
              {fileName ? `${fileName}, ` : null}
              <Moment at={createdAt} />
            </Link>
            {t.imports.summary(createdBy, rows, state === 'ambiguous' ? 0 : refused, t.imports.states[state])}
          </li>
        ))}
      </ul>
    </section>
  );
}
