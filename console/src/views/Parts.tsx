import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { removePart, type Part, type PartKind } from '../edit/records.js';
import { formatCode } from '../model/format.js';
import { ConfirmRemoval } from '../parts/ConfirmRemoval.js';
import { OnlyNewest } from '../parts/OnlyNewest.js';
import { classes } from '../parts/classes.js';
import { t } from '../texts/texts.js';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';
import styles from './Parts.module.css';

interface PartsProps {
  readonly shipment: Shipment;
  readonly kind: PartKind;
  readonly canEdit: boolean;
}

/** One releasing and one receiving agent. */
const MAX_AGENTS = 2;

/** The agents or services of a shipment. Each has its own version. */
export function Parts({ shipment, kind, canEdit }: PartsProps) {
  const [removed, setRemoved] = useState<Part>();
  const parts: readonly Part[] = (kind === 'agent' ? shipment.agents : shipment.services) ?? [];
  const canAdd = canEdit && (kind === 'service' || parts.length < MAX_AGENTS);
  const path = `/shipments/${shipment.id}/${kind}s`;
  if (parts.length === 0 && !canAdd) return null;
  return (
    <section aria-labelledby={`${kind}s-title`}>
      <header className={styles.head}>
        <h2 id={`${kind}s-title`}>{t.parts[kind]}</h2>
        {canAdd ? (
          <Link className={classes(controls.button, controls.quiet)} href={`${path}/new`}>
            <Plus />
            {t.actions.add[kind]}
          </Link>
        ) : null}
      </header>
      {parts.length === 0 ? (
        <p className={text.empty}>{kind === 'agent' ? t.record.noAgents : t.record.noServices}</p>
      ) : null}
      <ul className={styles.parts}>
        {parts.map((part) => (
          <li key={part.id}>
            <PartFacts part={part} />
            {canEdit ? (
              <span className={controls.actions}>
                <Link
                  className={classes(controls.button, controls.quiet)}
                  href={`${path}/${part.id}`}
                  aria-label={t.record.editOne(nameOf(part))}
                >
                  {t.actions.edit}
                </Link>
                <button
                  type="button"
                  className={controls.quiet}
                  aria-label={t.record.removeOne(nameOf(part))}
                  onClick={() => setRemoved(part)}
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
          remove={(options) => removePart(kind, removed, options)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t.removal.part[kind]}</p>
        </ConfirmRemoval>
      )}
    </section>
  );
}

function nameOf(part: Part): string {
  return 'code' in part ? part.code : [part.firstName, part.lastName].filter(Boolean).join(' ');
}

function PartFacts({ part }: { readonly part: Part }) {
  if ('code' in part) {
    return (
      <span className={styles.part}>
        <strong className={text.code}>{part.code}</strong> <span dir="auto">{part.description}</span>
      </span>
    );
  }
  return (
    <span className={styles.part}>
      <strong dir="auto">{nameOf(part)}</strong> <span className={text.hint}>{formatCode(part.agentType)}</span>{' '}
      <span>{[part.email, part.phone].filter(Boolean).join(' · ')}</span>
    </span>
  );
}
