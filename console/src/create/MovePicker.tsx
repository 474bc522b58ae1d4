import { useQuery } from '@tanstack/react-query';
import type { Move } from '@waybill/client';
import { useDeferredValue, useId, useState } from 'react';
import type { Value } from '../model/fields.js';
import { Fault } from '../components/Fault.js';
import { NOT_CHOSEN } from './missing.js';
import { foundMovesQuery, moveQuery } from '../queries.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './create.module.css';

interface MovePickerProps {
  /** The id of the chosen move, `NOT_CHOSEN` until an existing one is chosen; null for a new one. */
  readonly moveID: Value;
  readonly error: string | undefined;
  readonly onChange: (moveID: string | null) => void;
}

/** Chooses the move of a new shipment: a new one, or an existing one by code, order or words. */
export function MovePicker({ moveID, error, onChange }: MovePickerProps) {
  const isExisting = moveID !== null;
  return (
    <fieldset className={styles.move}>
      <legend>{t.record.move}</legend>
      <div className={controls.choices}>
        <label className={controls.choice}>
          <input type="radio" name="move" checked={!isExisting} onChange={() => onChange(null)} />
          {t.create.openMove}
        </label>
        <label className={controls.choice}>
          <input type="radio" name="move" checked={isExisting} onChange={() => onChange(NOT_CHOSEN)} />
          {t.create.existingMove}
        </label>
      </div>
      {moveID === NOT_CHOSEN ? <FindMove onChoose={({ id }) => onChange(id)} /> : null}
      {isExisting && moveID !== NOT_CHOSEN ? (
        <ChosenMove id={String(moveID)} onClear={() => onChange(NOT_CHOSEN)} />
      ) : null}
      <Fault error={error} />
    </fieldset>
  );
}

function ChosenMove({ id, onClear }: { readonly id: string; readonly onClear: () => void }) {
  const { data: move, error } = useQuery(moveQuery(id));
  return (
    <p className={styles.chosen}>
      <span>
        {t.record.move} <strong className={text.code}>{move?.moveCode ?? '…'}</strong> {move?.orderID}
      </span>
      <button type="button" className={controls.quiet} onClick={onClear}>
        {t.create.another}
      </button>
      <Fault error={error} />
    </p>
  );
}

function FindMove({ onChoose }: { readonly onChoose: (move: Move) => void }) {
  const id = useId();
  const [words, setWords] = useState('');
  const asked = useDeferredValue(words.trim());
  const { data, error, isFetching, isPlaceholderData } = useQuery(foundMovesQuery(asked));
  // The moves of the words before are shown until those of these words are known.
  const isFound = asked === words.trim() && !isPlaceholderData && !isFetching;
  const moves = data?.items ?? [];
  return (
    <div className={styles.find}>
      <div className={controls.field}>
        <label className={controls.label} htmlFor={id}>
          {t.create.find}
        </label>
        <input
          id={id}
          type="search"
          autoComplete="off"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => {
            // The only match is chosen; anything else must not submit the form.
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            const [only, another] = moves;
            if (isFound && only !== undefined && another === undefined && asked !== '') onChoose(only);
          }}
        />
      </div>
      <p className={text.hint} role="status">
        {isFound || error !== null ? sentenceOf(asked, moves.length) : t.create.searching}
      </p>
      <Fault error={error} />
      <ul className={styles.found}>
        {moves.map((move) => (
          <li key={move.id}>
            <button type="button" onClick={() => onChoose(move)}>
              <strong className={text.code}>{move.moveCode}</strong>
              <span>{move.orderID ?? t.create.noOrder}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function sentenceOf(asked: string, count: number): string {
  if (asked === '') return count === 0 ? t.create.noMoves : t.create.newest;
  if (count === 0) return t.create.noMatch;
  return count === 1 ? t.create.oneMatch : t.create.matches(count);
}
