import { t } from '../texts/texts.js';
import controls from './controls.module.css';

interface RejectionReasonProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A rejection requires a reason. */
export function RejectionReason({ value, onChange }: RejectionReasonProps) {
  return (
    <label className={controls.field}>
      <span className={controls.label}>{t.fields.reason}</span>
      <textarea rows={3} maxLength={2000} value={value} required onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
