import { useQuery } from '@tanstack/react-query';
import type { DryRun } from '@waybill/client';
import { useState } from 'react';
import { labelOfColumn } from '../model/fields.js';
import { formatWholeDay } from '../model/format.js';
import { formatPounds } from '../model/weights.js';
import { classes } from '../components/classes.js';
import { Fault } from '../components/Fault.js';
import { t } from '../texts/texts.js';
import { ChooseFile } from './ChooseFile.js';
import { ambiguousCellsQuery } from './import-queries.js';
import { UploadFault } from './UploadFault.js';
import { openQuestionOf, useUpload, type Notation } from './use-upload.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './imports.module.css';

type Cell = DryRun['ambiguousCells'][number];
type Reading = Cell['readings'][number];

const QUESTIONS = {
  dates: ['MDY', 'DMY', 'YMD'],
  decimal: ['.', ','],
} as const;

/** Asks how the cells of a file are meant, once for all of them, and uploads it again with the answer. */
export function AskReading({ id }: { readonly id: string }) {
  const kept = openQuestionOf(id);
  const { data: cells = [], error } = useQuery({
    ...ambiguousCellsQuery(id),
    ...(kept !== undefined && { initialData: kept.cells }),
  });
  const [notation, setNotation] = useState<Notation>({});
  const uploading = useUpload(notation, { replace: true });
  const asked = (['dates', 'decimal'] as const).filter((name) => cells.some((cell) => isAbout(cell, name)));
  const isAnswered = cells.length > 0 && asked.every((name) => notation[name] !== undefined);
  return (
    <form
      className={styles.ask}
      aria-label={t.imports.titles.ambiguous}
      onSubmit={(event) => {
        event.preventDefault();
        if (kept !== undefined && isAnswered) uploading.upload(kept.file);
      }}
    >
      <p role="status">{t.imports.severalReadings}</p>
      <Fault error={error} />
      {asked.map((name) => (
        <fieldset key={name} className={controls.choices}>
          <legend>{t.imports.ask[name]}</legend>
          {QUESTIONS[name].map((value) => (
            <Answer
              key={value}
              name={name}
              value={value}
              cells={cells.filter((cell) => isAbout(cell, name))}
              isChosen={notation[name] === value}
              onChoose={() => setNotation({ ...notation, [name]: value })}
            />
          ))}
        </fieldset>
      ))}
      {kept === undefined ? (
        <>
          <p className={text.hint}>{t.imports.chooseSameFile}</p>
          {isAnswered ? <ChooseFile label={t.imports.chooseAgain} isPrimary notation={notation} /> : null}
        </>
      ) : (
        <div className={styles.steps}>
          <button type="submit" className={controls.primary} disabled={!isAnswered || uploading.pending !== undefined}>
            {t.imports.readLikeThis}
          </button>
          {uploading.pending === undefined ? null : <progress aria-label={t.imports.checkingFile} />}
          <UploadFault of={uploading} />
        </div>
      )}
    </form>
  );
}

interface AnswerProps {
  readonly name: keyof Notation;
  readonly value: string;
  readonly cells: readonly Cell[];
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** One way to read the cells, with what each of them means then. Nothing if none can be read in this way. */
function Answer({ name, value, cells, isChosen, onChoose }: AnswerProps) {
  const readings = cells.map((cell) => cell.readings.find((reading) => reading[name] === value));
  if (readings.every((reading) => reading === undefined)) return null;
  return (
    <label className={classes(controls.choice, styles.reading)}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{t.imports.notations[value as keyof typeof t.imports.notations]}</strong>
        {cells.map(({ line, column, cell }, at) => (
          <span key={`${line} ${column ?? ''}`} className={styles.meaning}>
            <code className={text.code}>{cell}</code> {t.imports.means} <b>{meaningOf(readings[at])}</b>{' '}
            <span className={text.hint}>{t.imports.placeOf(line, labelOfColumn(column ?? ''))}</span>
          </span>
        ))}
      </span>
    </label>
  );
}

function isAbout({ readings }: Cell, name: keyof Notation): boolean {
  return readings.some((reading) => reading[name] !== undefined);
}

function meaningOf(reading: Reading | undefined): string {
  if (reading === undefined) return t.imports.noMeaning;
  return typeof reading.value === 'number' ? formatPounds(reading.value) : formatWholeDay(reading.value);
}
