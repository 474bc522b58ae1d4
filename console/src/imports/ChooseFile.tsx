import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mayBeDone } from '@waybill/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { isForgotten } from '../model/keys.js';
import { FileUp } from 'lucide-react';
import { useLocation } from 'wouter';
import { Fault } from '../parts/Fault.js';
import { explainOpen } from '../parts/faults.js';
import { importQuery, sendFile } from './import-queries.js';
import { classes } from '../parts/classes.js';
import { safely } from '../safely.js';
import { t } from '../texts/texts.js';
import styles from './imports.module.css';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';

interface ChooseFileProps {
  readonly label: string;
  readonly isPrimary?: boolean;
}

/** Uploads a file that is chosen here or dropped anywhere on the page, and opens its dry run. */
export function ChooseFile({ label, isPrimary = false }: ChooseFileProps) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: sendFile,
    onSuccess: (sent) => {
      safely(
        () => queries.setQueryData(importQuery(sent.id).queryKey, sent),
        () => navigate(`/imports/${sent.id}`),
      );
    },
  });
  const [isTooLate, setIsTooLate] = useState(false);
  const upload = (file: File) => {
    setIsTooLate(false);
    mutate({ file, key: crypto.randomUUID(), at: Date.now(), isOpen: false });
  };
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined && !isPending) upload(file);
  };
  const isOpen = error !== null && !isTooLate && mayBeDone(error, variables.isOpen);
  const isOver = useDroppedFiles(take);
  return (
    <div className={classes(styles.choose, isOver && styles.over)}>
      <label className={classes(controls.button, isPrimary && controls.primary)}>
        <FileUp />
        {label}
        <input
          type="file"
          className={text.unseen}
          accept=".csv,.jsonl,.ndjson,.json,text/csv"
          onChange={({ target }) => {
            take(target.files);
            // Allows choosing the same file again after correcting it.
            target.value = '';
          }}
        />
      </label>
      <span className={text.hint} role="status">
        {isPending ? t.imports.checking(variables.file.name) : t.imports.drop}
      </span>
      {isPending ? <progress aria-label={t.imports.checkingFile} /> : null}
      <Fault error={isTooLate ? t.faults.forgotten : isOpen ? explainOpen(error, 'uploaded') : error} />
      {isOpen ? (
        <button
          type="button"
          onClick={() => {
            // Uploaded again under a forgotten key, it would be another import. The page lists the last ones.
            if (isForgotten(variables.at, Date.now())) setIsTooLate(true);
            else mutate({ ...variables, isOpen });
          }}
        >
          {t.actions.tryAgain}
        </button>
      ) : null}
    </div>
  );
}

/** Whether files are being dragged over the page. */
function useDroppedFiles(take: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    setIsOver(event.type === 'dragover');
    if (event.type === 'drop') take(event.dataTransfer.files);
  });
  const onLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setIsOver(false);
  });
  useEffect(() => {
    addEventListener('dragover', onDrag);
    addEventListener('drop', onDrag);
    addEventListener('dragleave', onLeave);
    return () => {
      removeEventListener('dragover', onDrag);
      removeEventListener('drop', onDrag);
      removeEventListener('dragleave', onLeave);
    };
  }, []);
  return isOver;
}
