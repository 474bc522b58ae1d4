import { useEffect, useEffectEvent, useState } from 'react';
import { FileUp } from 'lucide-react';
import { UploadFault } from './UploadFault.js';
import { useUpload, type Notation } from './use-upload.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import styles from './imports.module.css';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';

interface ChooseFileProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** How to read the file; undefined if the service should find out. */
  readonly notation?: Notation;
}

/** Uploads a file that is chosen here or dropped anywhere on the page, and opens its dry run. */
export function ChooseFile({ label, isPrimary = false, notation = {} }: ChooseFileProps) {
  const uploading = useUpload(notation);
  const { pending, upload } = uploading;
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined && pending === undefined) upload(file);
  };
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
        {pending === undefined ? t.imports.drop : t.imports.checking(pending)}
      </span>
      {pending === undefined ? null : <progress aria-label={t.imports.checkingFile} />}
      <UploadFault of={uploading} />
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
