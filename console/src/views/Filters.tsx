import { SlidersHorizontal, X } from 'lucide-react';
import { Fragment, useState, type ReactNode } from 'react';
import { formatCode, formatMoment } from '../model/format.js';
import {
  rangeIn,
  showsOverdue,
  statusesIn,
  toggleOverdue,
  withoutOtherRanges,
  type DateField,
} from '../model/list-query.js';
import { sortChoices } from '../model/sorts.js';
import { COLUMNS } from '../model/status.js';
import { useToday } from '../components/Moment.js';
import { knownTypes, typeNamed } from '../edit/known-types.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Filters.module.css';

interface FiltersProps {
  readonly parameters: URLSearchParams;
  readonly onChange: (parameters: URLSearchParams) => void;
  /** Further actions on the filtered list. */
  readonly children: ReactNode;
}

const DATES = ['pickupDate', 'deliveryDate'] as const;

export function Filters({ parameters, onChange, children }: FiltersProps) {
  const [isShown, setIsShown] = useState(false);
  const [types, setTypes] = useState<readonly string[]>([]);
  const chosen = statusesIn(parameters);
  const today = useToday();
  const one = (name: string) => parameters.get(name) ?? '';
  const { sort, choices } = sortChoices(one('sort'), rangeIn(parameters));
  const set = (name: string, values: readonly string[], base = parameters) => {
    const next = new URLSearchParams(base);
    next.delete(name);
    for (const value of values.filter(Boolean)) next.append(name, value);
    onChange(next);
  };
  const setRange = (field: DateField, end: 'From' | 'To', value: string) =>
    set(`${field}${end}`, [value], value === '' ? parameters : withoutOtherRanges(parameters, field));
  return (
    <form
      className={classes(styles.filters, isShown && styles.shown)}
      aria-label={t.list.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      <button type="button" className={styles.showFilters} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        <SlidersHorizontal />
        {parameters.size === 0 ? t.list.filters : t.list.filtersSet(parameters.size)}
      </button>
      <fieldset className={controls.chips}>
        <legend>{t.fields.labels.status}</legend>
        {COLUMNS.map((status) => (
          <label key={status} className={controls.chip}>
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={({ target }) =>
                set('status', target.checked ? [...chosen, status] : chosen.filter((each) => each !== status))
              }
            />
            <span>{formatCode(status)}</span>
          </label>
        ))}
        {DATES.map((field) => (
          <label key={field} className={controls.chip}>
            <input
              type="checkbox"
              checked={showsOverdue(parameters, field, today)}
              onChange={() => onChange(toggleOverdue(parameters, field, today))}
            />
            <span>{t.list.overdueFilters[field]}</span>
          </label>
        ))}
      </fieldset>
      <label className={controls.filter}>
        <span>{t.fields.labels.shipmentType}</span>
        <input
          list="shipment-types"
          value={one('shipmentType')}
          onFocus={() => setTypes(knownTypes())}
          onChange={({ target }) => set('shipmentType', [typeNamed(target.value, types)])}
        />
        <datalist id="shipment-types">
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </label>
      {DATES.map((field) => (
        <Fragment key={field}>
          <label className={controls.filter}>
            <span>{t.list.from[field]}</span>
            <input
              type="date"
              value={one(`${field}From`)}
              onChange={({ target }) => setRange(field, 'From', target.value)}
            />
          </label>
          <label className={controls.filter}>
            <span>{t.list.toShort}</span>
            <input
              type="date"
              aria-label={t.list.to[field]}
              value={one(`${field}To`)}
              onChange={({ target }) => setRange(field, 'To', target.value)}
            />
          </label>
        </Fragment>
      ))}
      <label className={controls.filter} hidden={one('q') !== ''}>
        <span>{t.list.sort}</span>
        <select value={sort} onChange={({ target }) => set('sort', [target.value])}>
          {choices.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {one('q') === '' ? null : (
        <button type="button" onClick={() => set('q', [])}>
          {t.list.foundBy(one('q'))}
          <X />
        </button>
      )}
      {one('moveID') === '' ? null : (
        <button type="button" onClick={() => set('moveID', [])}>
          {t.list.onlyMove(one('moveID'))}
          <X />
        </button>
      )}
      {one('updatedSince') === '' ? null : (
        <button type="button" onClick={() => set('updatedSince', [])}>
          {t.list.changedSince(formatMoment(one('updatedSince')))}
          <X />
        </button>
      )}
      {parameters.size === 0 ? null : (
        <button type="button" className={controls.quiet} onClick={() => onChange(new URLSearchParams())}>
          {t.list.clear}
        </button>
      )}
      {children}
    </form>
  );
}
