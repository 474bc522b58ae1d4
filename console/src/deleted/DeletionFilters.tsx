import { X } from 'lucide-react';
import { filtersIn, isWholeCode, KINDS } from '../model/deletion-filters.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './deleted.module.css';

interface DeletionFiltersProps {
  readonly parameters: URLSearchParams;
  /** The name of the user, if known. */
  readonly author: string | undefined;
  readonly onChange: (parameters: URLSearchParams) => void;
}

export function DeletionFilters({ parameters, author, onChange }: DeletionFiltersProps) {
  const { kinds, code, by, since, moveID } = filtersIn(parameters);
  const set = (name: string, ...values: readonly string[]) => {
    const next = new URLSearchParams(parameters);
    next.delete(name);
    for (const value of values.filter(Boolean)) next.append(name, value);
    onChange(next);
  };
  return (
    <form className={styles.filters} aria-label={t.list.filters} onSubmit={(event) => event.preventDefault()}>
      <fieldset className={controls.chips}>
        <legend>{t.deleted.kind}</legend>
        {KINDS.map((kind) => (
          <label key={kind} className={controls.chip}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                set('kind', ...(target.checked ? [...kinds, kind] : kinds.filter((each) => each !== kind)))
              }
            />
            <span>{t.deleted.kinds[kind]}</span>
          </label>
        ))}
      </fieldset>
      <label className={controls.filter}>
        <span>{t.list.places.code}</span>
        <input
          type="search"
          value={code}
          aria-describedby={code === '' || isWholeCode(code) ? undefined : 'whole-code'}
          onChange={({ target }) => set('code', target.value)}
        />
      </label>
      <label className={controls.filter}>
        <span>{t.deleted.by}</span>
        <input type="search" value={by} onChange={({ target }) => set('by', target.value)} />
      </label>
      {author === undefined ? null : (
        <label className={controls.chip}>
          <input
            type="checkbox"
            checked={by === author}
            onChange={({ target }) => set('by', target.checked ? author : '')}
          />
          <span>{t.deleted.mine}</span>
        </label>
      )}
      <label className={controls.filter}>
        <span>{t.deleted.since}</span>
        <input type="date" value={since} onChange={({ target }) => set('since', target.value)} />
      </label>
      {moveID === '' ? null : (
        <button type="button" className={styles.long} onClick={() => set('moveID')}>
          {t.list.onlyMove(moveID)}
          <X />
        </button>
      )}
      {parameters.size === 0 ? null : (
        <button type="button" className={controls.quiet} onClick={() => onChange(new URLSearchParams())}>
          {t.list.clear}
        </button>
      )}
      {code === '' || isWholeCode(code) ? null : (
        <p id="whole-code" className={text.hint} role="status">
          {t.deleted.wholeCode}
        </p>
      )}
    </form>
  );
}
