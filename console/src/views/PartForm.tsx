import { useQuery } from '@tanstack/react-query';
import type { Shipment } from '@waybill/client';
import { useState } from 'react';
import { DeletedRecord } from '../deleted/DeletedRecord.js';
import { deletionQuery } from '../deleted/deletion-queries.js';
import { RecordForm } from '../edit/RecordForm.js';
import type { NewPart, Part, PartKind } from '../edit/records.js';
import { lastVersion } from '../model/deletions.js';
import { t } from '../texts/texts.js';
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
  const isGone = id !== 'new' && found === undefined;
  const { data: deletion } = useQuery({ ...deletionQuery(kind, id), enabled: isGone });
  const addition: NewPart = { id: `new-in-${shipment.id}`, eTag: '', shipmentID: shipment.id };
  const record = id === 'new' ? addition : (known ?? lastVersion(kind, deletion));
  return (
    <section className={styles.partForm}>
      <h2>{id === 'new' ? t.edit.newForm[kind] : t.edit.editPart[kind]}</h2>
      {isGone && !isDeleted ? (
        <DeletedRecord kind={kind} id={id} history={{ kind: 'shipment', id: shipment.id }} />
      ) : null}
      {record === undefined ? null : (
        <RecordForm kind={kind} record={record} isDeleted={isDeleted || isGone} onLeave={onLeave} />
      )}
    </section>
  );
}
