import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { removeChild, type Child, type ChildKind } from '../edit/records.js';
import { formatCode } from '../model/format.js';
import { ConfirmRemoval } from '../components/ConfirmRemoval.js';
import { OnlyNewest } from '../components/OnlyNewest.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './Children.module.css';

interface ChildrenProps {
  readonly shipment: Shipment;
  readonly kind: ChildKind;
  readonly canEdit: boolean;
}

/** One releasing and one receiving agent. */
const MAX_AGENTS = 2;

/** The agents or services of a shipment. Each has its own version. */
export function Children({ shipment, kind, canEdit }: ChildrenProps) {
  const [removed, setRemoved] = useState<Child>();
  const children: readonly Child[] = (kind === 'agent' ? shipment.agents : shipment.services) ?? [];
  const canAdd = canEdit && (kind === 'service' || children.length < MAX_AGENTS);
  const path = `/shipments/${shipment.id}/${kind}s`;
  if (children.length === 0 && !canAdd) return null;
  return (
    <section aria-labelledby={`${kind}s-title`}>
      <header className={styles.head}>
        <h2 id={`${kind}s-title`}>{t.children[kind]}</h2>
        {canAdd ? (
          <Link className={classes(controls.button, controls.quiet)} href={`${path}/new`}>
            <Plus />
            {t.actions.add[kind]}
          </Link>
        ) : null}
      </header>
      {children.length === 0 ? (
        <p className={text.empty}>{kind === 'agent' ? t.record.noAgents : t.record.noServices}</p>
      ) : null}
      <ul className={styles.children}>
        {children.map((child) => (
          <li key={child.id}>
            <ChildFacts child={child} />
            {canEdit ? (
              <span className={controls.actions}>
                <Link
                  className={classes(controls.button, controls.quiet)}
                  href={`${path}/${child.id}`}
                  aria-label={t.record.editOne(nameOf(child))}
                >
                  {t.actions.edit}
                </Link>
                <button
                  type="button"
                  className={controls.quiet}
                  aria-label={t.record.removeOne(nameOf(child))}
                  onClick={() => setRemoved(child)}
                >
                  {t.actions.remove}
                </button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <OnlyNewest next={kind === 'agent' ? shipment.agentsNext : shipment.servicesNext} />
      {removed === undefined ? null : (
        <ConfirmRemoval
          verb="remove"
          kind={kind}
          record={removed}
          name={nameOf(removed)}
          remove={(options) => removeChild(kind, removed, options)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t.removal.child[kind]}</p>
        </ConfirmRemoval>
      )}
    </section>
  );
}

function nameOf(child: Child): string {
  return 'code' in child ? child.code : [child.firstName, child.lastName].filter(Boolean).join(' ');
}

function ChildFacts({ child }: { readonly child: Child }) {
  if ('code' in child) {
    return (
      <span className={styles.child}>
        <strong className={text.code}>{child.code}</strong> <span dir="auto">{child.description}</span>
      </span>
    );
  }
  return (
    <span className={styles.child}>
      <strong dir="auto">{nameOf(child)}</strong> <span className={text.hint}>{formatCode(child.agentType)}</span>{' '}
      <span>{[child.email, child.phone].filter(Boolean).join(' · ')}</span>
    </span>
  );
}
