import { useQuery } from '@tanstack/react-query';
import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { DeletedRecord } from '../deleted/DeletedRecord.js';
import { deletionQuery } from '../deleted/deletion-queries.js';
import { RecordForm } from '../edit/RecordForm.js';
import type { NewChild, Child, ChildKind } from '../edit/records.js';
import { lastVersion } from '../model/deletions.js';
import { t } from '../texts/texts.js';
import styles from './record.module.css';

interface ChildFormProps {
  readonly shipment: Shipment;
  readonly kind: ChildKind;
  /** The id of the agent or service, or `new`. */
  readonly id: string;
  readonly isDeleted: boolean;
  readonly onLeave: () => void;
}

/** Adds or edits an agent or service, with drafts and conflicts like any record. */
export function ChildForm({ shipment, kind, id, isDeleted, onLeave }: ChildFormProps) {
  const children: readonly Child[] = (kind === 'agent' ? shipment.agents : shipment.services) ?? [];
  const found = children.find((child) => child.id === id);
  // Keep a removed record in the form, so that edits are not lost.
  const [known, setKnown] = useState(found);
  if (found !== undefined && found !== known) setKnown(found);
  const isGone = id !== 'new' && found === undefined;
  const { data: deletion } = useQuery({ ...deletionQuery(kind, id), enabled: isGone });
  const addition: NewChild = { id: `new-in-${shipment.id}`, eTag: '', shipmentID: shipment.id };
  const record = id === 'new' ? addition : (known ?? lastVersion(kind, deletion));
  return (
    <section className={styles.childForm}>
      <h2>{id === 'new' ? t.edit.newForm[kind] : t.edit.editChild[kind]}</h2>
      {isGone && !isDeleted ? (
        <DeletedRecord kind={kind} id={id} history={{ kind: 'shipment', id: shipment.id }} />
      ) : null}
      {record === undefined ? null : (
        <RecordForm kind={kind} record={record} isDeleted={isDeleted || isGone} onLeave={onLeave} />
      )}
    </section>
  );
}
