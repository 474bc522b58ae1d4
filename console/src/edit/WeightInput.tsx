import { useState, type InputHTMLAttributes } from 'react';
import type { Value } from '../model/fields.js';
import { weightOf, weightText } from '../model/weights.js';

interface WeightInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  /** In pounds. */
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A weight in the unit of the user. The typed text is not reformatted, although other text may mean the same pounds. */
export function WeightInput({ value, onChange, ...attributes }: WeightInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      {...attributes}
      value={typed !== undefined && weightOf(typed) === value ? typed : weightText(value)}
      inputMode="decimal"
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(weightOf(target.value));
      }}
    />
  );
}
