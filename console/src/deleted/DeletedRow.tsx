import type { Deletion } from '@waybill/client';
import { useId, useState } from 'react';
import { ArchiveRestore, ChevronDown, ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import { FIELDS, labelOf, valuesOf } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { lastVersion, nameOfDeleted } from '../model/deletions.js';
import { routeOf } from '../model/status.js';
import { Badge } from '../components/Badge.js';
import { Fact, Facts } from '../views/Facts.js';
import { MoveFacts } from '../views/MoveFacts.js';
import { ShipmentFacts } from '../views/ShipmentFacts.js';
import { ComesBack } from './ComesBack.js';
import { DeletedBy } from './DeletedBy.js';
import { canRestore, pathOf } from './restore.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './deleted.module.css';

interface DeletedRowProps {
  readonly deletion: Deletion;
  /** Somebody has restored it since the list was read. */
  readonly isRestored: boolean;
  readonly onRestore: () => void;
}

export function DeletedRow({ deletion, isRestored, onRestore }: DeletedRowProps) {
  const { resource, values } = deletion;
  const [isOpen, setIsOpen] = useState(false);
  const previewID = useId();
  const name = nameOfDeleted(deletion);
  return (
    <li className={classes(page.card, styles.row)}>
      <div className={styles.head}>
        <span className={styles.what}>
          {values === null ? null : <Badge tone="plain">{t.kinds[resource]}</Badge>}{' '}
          <Link className={resource === 'agent' ? undefined : text.code} href={pathOf(deletion)} dir="auto">
            {name}
          </Link>{' '}
          <span dir="auto">{lineOf(deletion)}</span>
        </span>
        <span className={text.hint}>
          <DeletedBy deletion={deletion} />
        </span>
        <span className={controls.actions}>
          {values === null ? null : (
            <button
              type="button"
              className={controls.quiet}
              aria-expanded={isOpen}
              aria-controls={previewID}
              aria-label={t.deleted.previewOf(name)}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? <ChevronDown /> : <ChevronRight />}
              {t.deleted.preview}
            </button>
          )}
          {isRestored ? (
            <Badge tone="accent">{t.deleted.isRestored}</Badge>
          ) : values === null || !canRestore(resource) ? null : (
            <button type="button" aria-label={t.deleted.askFor(name)} onClick={onRestore}>
              <ArchiveRestore />
              {t.deleted.ask}
            </button>
          )}
        </span>
      </div>
      {values === null ? <p className={text.hint}>{t.deleted.hindrances.ERASED}</p> : null}
      <div id={previewID} hidden={!isOpen}>
        {isOpen ? <Preview deletion={deletion} /> : null}
      </div>
    </li>
  );
}

/** What distinguishes a record from others of its kind. */
function lineOf(deletion: Deletion): string {
  const shipment = lastVersion('shipment', deletion);
  if (shipment !== undefined) return [shipment.shipmentType, routeOf(shipment)].filter(Boolean).join(', ');
  return lastVersion('move', deletion)?.orderID ?? lastVersion('service', deletion)?.description ?? '';
}

function Preview({ deletion }: { readonly deletion: Deletion }) {
  const shipment = lastVersion('shipment', deletion);
  const move = lastVersion('move', deletion);
  if (shipment === undefined && move === undefined) {
    const values = valuesOf(deletion.values ?? {});
    return (
      <Facts>
        {FIELDS[deletion.resource].map(({ name }) => (
          <Fact key={name} label={labelOf(name)}>
            {values[name] == null ? null : formatValue(name, values[name])}
          </Fact>
        ))}
      </Facts>
    );
  }
  return (
    <div className={styles.preview}>
      {shipment === undefined ? null : <ShipmentFacts shipment={shipment} />}
      {move === undefined ? null : <MoveFacts move={move} />}
      <ComesBack deletion={deletion} />
    </div>
  );
}
