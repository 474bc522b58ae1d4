import type { AgentType } from '@waybill/client';
import { type Field, type Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { settings } from '../settings.js';
import { TypeInput } from './TypeInput.js';
import { WeightInput } from './WeightInput.js';

const AGENT_TYPES: readonly AgentType[] = ['RELEASING_AGENT', 'RECEIVING_AGENT'];

interface FieldInputProps {
  readonly field: Field;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly id: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
}

/** The native input of a field. An empty input means null. */
export function FieldInput({
  field,
  value,
  onChange,
  id,
  describedBy,
  isInvalid = false,
  isRequired = false,
  placeholder,
}: FieldInputProps) {
  const common = {
    id,
    value: value ?? '',
    name: field.name,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
    'aria-required': isRequired || undefined,
    dir: 'auto',
    placeholder,
  };
  if (field.input === 'long') {
    return (
      <textarea
        {...common}
        rows={5}
        maxLength={field.longest}
        onChange={({ target }) => onChange(target.value || null)}
      />
    );
  }
  if (field.input === 'type' && settings.shipmentTypes !== undefined) {
    return (
      <select {...common} onChange={({ target }) => onChange(target.value || null)}>
        {value === null ? <option value="" /> : null}
        {[...new Set([...settings.shipmentTypes, ...(value === null ? [] : [String(value)])])].map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    );
  }
  if (field.input === 'type') return <TypeInput {...common} maxLength={field.longest} onChange={onChange} />;
  if (field.input === 'agentType') {
    return (
      <select {...common} onChange={({ target }) => onChange(target.value || null)}>
        {value === null ? <option value="" /> : null}
        {AGENT_TYPES.map((type) => (
          <option key={type} value={type}>
            {formatCode(type)}
          </option>
        ))}
      </select>
    );
  }
  if (field.input === 'date') {
    return <input {...common} type="date" onChange={({ target }) => onChange(target.value || null)} />;
  }
  if (field.input === 'weight') {
    return <WeightInput {...common} value={value} onChange={onChange} />;
  }
  return (
    <input
      {...common}
      autoComplete="off"
      maxLength={field.longest}
      onChange={({ target }) => onChange(target.value || null)}
    />
  );
}
