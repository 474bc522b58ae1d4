import { useQuery } from '@tanstack/react-query';
import type { Deletion } from '@waybill/client';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isDeletionOf, nameOfDeleted } from '../model/deletions.js';
import type { Response } from '../model/restoring.js';
import { rememberWrite } from '../own-writes.js';
import { announce } from '../components/notice.js';
import { openPage } from '../components/open-page.js';
import { deletionQuery } from './deletion-queries.js';
import { forgetDeletion, type LastDeletion } from './last-deletion.js';
import { alreadySentence, pathOf, restore, showRestored } from './restore.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from '../components/Announcements.module.css';

/** Says what the user deleted last, and offers to undo it as long as nobody has restored it. */
export default function UndoDeletion({ last }: { readonly last: LastDeletion }) {
  const { kind, id, eTag } = last;
  const { data, isFetching } = useQuery({ ...deletionQuery(kind, id), staleTime: 0 });
  const [key] = useState(() => crypto.randomUUID());
  /** The deletion, if the outcome of an attempt to undo it is unknown: it may not be listed any more. */
  const [sent, setSent] = useState<Deletion>();
  const [isSaving, setIsSaving] = useState(false);
  const deletion = data != null && isDeletionOf(kind, eTag, data) ? data : sent;
  const deletedAt = deletion?.deletedAt;
  useEffect(() => {
    if (deletedAt !== undefined) rememberWrite({ id, updatedAt: deletedAt });
  }, [id, deletedAt]);
  const name = deletion === undefined ? last.name : nameOfDeleted(deletion);
  const isOver = data !== undefined && !isFetching && deletion === undefined;
  if (name === undefined || isOver) return null;

  const undo = async () => {
    if (deletion === undefined) return;
    setIsSaving(true);
    const step = { kind, id, name, deletionETag: deletion.deletionETag, key };
    const response = await restore(step, sent !== undefined);
    setIsSaving(false);
    if (response.kind === 'unknown') setSent(deletion);
    else {
      forgetDeletion(last);
      showRestored();
    }
    const isFault = response.kind === 'unknown' || response.kind === 'refused';
    announce(sentenceOf(id, name, response), isFault ? { isFault } : { action: openPage(pathOf(deletion)) });
  };
  const words = kind === 'agent' || kind === 'service' ? t.removal.remove : t.removal.delete;
  return (
    <p className={styles.notice}>
      {words.done(name)}
      {deletion === undefined ? null : (
        <button type="button" className={controls.quiet} disabled={isSaving} onClick={() => void undo()}>
          {sent === undefined ? t.actions.undo : t.actions.tryAgain}
        </button>
      )}
      <button
        type="button"
        className={controls.quiet}
        aria-label={t.shell.dismiss}
        onClick={() => forgetDeletion(last)}
      >
        <X />
      </button>
    </p>
  );
}

function sentenceOf(id: string, name: string, response: Response): string {
  if (response.kind === 'restored') return t.deleted.done(name);
  if (response.kind === 'already') return alreadySentence(id, response);
  return response.kind === 'refused' ? t.deleted.notRestored(response.text) : response.text;
}
