import { useId } from 'react';
import { today } from '../model/format.js';
import { scopesIn } from '../model/key-values.js';
import { session } from '../session/session.js';
import { settings } from '../settings.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './Keys.module.css';

const MAX_YEARS = 5;

interface KeyFieldsProps {
  readonly name: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly expiry: string;
  readonly onName: (name: string) => void;
  readonly onScopes: (scopes: string) => void;
  readonly onExpiry: (day: string) => void;
}

/** The inputs of an API key. It can have no scope that the user lacks. */
export function KeyFields({ name, scopes, expiry, onName, onScopes, onExpiry }: KeyFieldsProps) {
  const hint = useId();
  const chosen = scopesIn(scopes);
  const offered = settings.scopes.filter((scope) => session.can(scope) || chosen.includes(scope));
  return (
    <>
      <label className={controls.field}>
        <span className={controls.label}>{t.keys.name}</span>
        <input
          value={name}
          required
          maxLength={100}
          autoComplete="off"
          dir="auto"
          aria-describedby={hint}
          onChange={({ target }) => onName(target.value)}
        />
        <span id={hint} className={text.hint}>
          {t.keys.nameHint}
        </span>
      </label>
      <fieldset className={styles.scopes}>
        <legend>{t.keys.scopes}</legend>
        {offered.map((scope) => (
          <label key={scope} className={controls.chip}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                onScopes(
                  settings.scopes.filter((each) => (each === scope ? target.checked : chosen.includes(each))).join(' '),
                )
              }
            />
            <span>{scope}</span>
          </label>
        ))}
      </fieldset>
      <label className={controls.field}>
        <span className={controls.label}>{t.keys.expiry}</span>
        <input
          type="date"
          required
          value={expiry}
          min={today()}
          max={inYears(MAX_YEARS, -1)}
          onChange={({ target }) => onExpiry(target.value)}
        />
      </label>
    </>
  );
}

/** A day in some years. */
export function inYears(years: number, days = 0): string {
  const date = new Date();
  date.setFullYear(date.getFullYear() + years, date.getMonth(), date.getDate() + days);
  return today(date);
}
