import { LANGUAGES, type Language, type Preferences } from '../preferences.js';
import type { WeightUnit } from '../texts/region.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';

interface PreferenceFieldsProps {
  readonly value: Preferences;
  readonly onChange: (value: Preferences) => void;
}

export function PreferenceFields({ value, onChange }: PreferenceFieldsProps) {
  return (
    <>
      <label className={controls.field}>
        <span className={controls.label}>{t.account.language}</span>
        <select
          value={value.language}
          onChange={({ target }) => onChange({ ...value, language: target.value as Language })}
        >
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className={controls.field}>
        <span className={controls.label}>{t.account.weights}</span>
        <select
          value={value.weightUnit}
          onChange={({ target }) => onChange({ ...value, weightUnit: target.value as WeightUnit })}
        >
          {Object.entries(t.account.units).map(([unit, name]) => (
            <option key={unit} value={unit}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {value.weightUnit === 'kg' ? <p className={text.hint}>{t.account.weightsHint}</p> : null}
    </>
  );
}
