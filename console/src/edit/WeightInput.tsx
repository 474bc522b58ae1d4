import { useState, type InputHTMLAttributes } from 'react';
import type { Value } from '../model/fields.js';
import { formatWeight, isReadAnew, weightOf, weightText } from '../model/weights.js';
import text from '../components/text.module.css';

interface WeightInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  /** In pounds. */
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A weight in the unit of the user. The typed text is not reformatted, although other text may mean the same pounds. */
export function WeightInput({ value, onChange, ...attributes }: WeightInputProps) {
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && weightOf(typed) === value;
  return (
    <>
      <input
        {...attributes}
        value={isTyped ? typed : weightText(value)}
        inputMode="decimal"
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(weightOf(target.value));
        }}
      />
      {isTyped && typeof value === 'number' && isReadAnew(typed) ? (
        <p className={text.hint} role="status">
          = {formatWeight(value)}
        </p>
      ) : null}
    </>
  );
}
