import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { RecordForm } from '../edit/RecordForm.js';
import type { NewPart, Part, PartKind } from '../edit/records.js';
import { classes } from '../parts/classes.js';
import { t } from '../texts/texts.js';
import page from '../parts/page.module.css';
import styles from './record.module.css';

interface PartFormProps {
  readonly shipment: Shipment;
  readonly kind: PartKind;
  /** The id of the agent or service, or `new`. */
  readonly id: string;
  readonly isDeleted: boolean;
  readonly onLeave: () => void;
}

/** Adds or edits an agent or service, with drafts and conflicts like any record. */
export function PartForm({ shipment, kind, id, isDeleted, onLeave }: PartFormProps) {
  const parts: readonly Part[] = (kind === 'agent' ? shipment.agents : shipment.services) ?? [];
  const found = parts.find((part) => part.id === id);
  // Keep a removed record in the form, so that edits are not lost.
  const [known, setKnown] = useState(found);
  if (found !== undefined && found !== known) setKnown(found);
  const addition: NewPart = { id: `new-in-${shipment.id}`, eTag: '', shipmentID: shipment.id };
  const record = id === 'new' ? addition : known;
  return (
    <section className={styles.partForm}>
      <h2>{id === 'new' ? t.edit.newForm[kind] : t.edit.editPart[kind]}</h2>
      {record === undefined ? (
        <p className={classes(page.banner, page.warning)} role="alert">
          {t.record.unknownPart[kind]}
        </p>
      ) : (
        <RecordForm
          kind={kind}
          record={record}
          isDeleted={isDeleted || (id !== 'new' && found === undefined)}
          onLeave={onLeave}
        />
      )}
    </section>
  );
}
