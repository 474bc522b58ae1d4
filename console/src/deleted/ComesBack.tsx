import { useQuery } from '@tanstack/react-query';
import type { Deletion } from '@waybill/client';
import { lastVersion, nameOfDeleted } from '../model/deletions.js';
import { formatCode } from '../model/format.js';
import { Fault } from '../components/Fault.js';
import { childrenQuery } from './deletion-queries.js';
import { t } from '../texts/texts.js';
import text from '../components/text.module.css';
import styles from './deleted.module.css';

/** Names what comes back with a shipment: what its deletion took along. Other records have nothing that does. */
export function ComesBack({ deletion }: { readonly deletion: Deletion }) {
  const { data: children, error, refetch } = useQuery(childrenQuery(deletion));
  if (deletion.resource !== 'shipment') return null;
  if (children === undefined) return <Fault error={error} onRetry={() => void refetch()} />;
  if (children.items.length === 0) return <p className={text.hint}>{t.deleted.nothingElse}</p>;
  const sorted = [...children.items].sort((one, other) => one.resource.localeCompare(other.resource));
  return (
    <div>
      <p>{t.deleted.comeBack}</p>
      <ul className={styles.children}>
        {sorted.map((child) => (
          <li key={child.resourceID}>
            <strong dir="auto">{nameOfDeleted(child)}</strong> <span className={text.hint}>{roleOf(child)}</span>
          </li>
        ))}
        {children.hasMore ? <li>…</li> : null}
      </ul>
    </div>
  );
}

function roleOf(child: Deletion): string {
  const agent = lastVersion('agent', child);
  return agent === undefined ? t.kinds[child.resource] : formatCode(agent.agentType);
}
