import { useState, type InputHTMLAttributes } from 'react';
import type { Value } from '../model/fields.js';
import { t } from '../texts/texts.js';
import { knownTypes } from './known-types.js';

interface TypeInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly onChange: (value: Value) => void;
}

/** Any type, with those of the shipments that were read as suggestions; before there are any, with examples. */
export function TypeInput({ onChange, ...attributes }: TypeInputProps) {
  const [types, setTypes] = useState<readonly string[]>([]);
  const list = `${attributes.id ?? ''}-types`;
  return (
    <>
      <input
        {...attributes}
        autoComplete="off"
        list={list}
        onFocus={() => {
          const known = knownTypes();
          setTypes(known.length > 0 ? known : t.fields.types);
        }}
        onChange={({ target }) => onChange(target.value || null)}
      />
      <datalist id={list}>
        {types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
