import type { ReactNode } from 'react';
import { formatCode } from '../model/format.js';
import { COLUMNS } from '../model/status.js';
import { settings } from '../settings.js';

const SORTS: readonly (readonly [string, string])[] = [
  ['', 'Newest first'],
  ['createdAt', 'Oldest first'],
  ['deliveryDate', 'Delivery, earliest first'],
  ['-deliveryDate', 'Delivery, latest first'],
  ['-updatedAt', 'Changed last'],
  ['updatedAt', 'Not changed for longest'],
];

interface FiltersProps {
  readonly parameters: URLSearchParams;
  readonly set: (name: string, values: readonly string[]) => void;
  readonly onClear: () => void;
  /** What else can be done with what they show. */
  readonly children: ReactNode;
}

export function Filters({ parameters, set, onClear, children }: FiltersProps) {
  const chosen = parameters.getAll('status');
  const one = (name: string) => parameters.get(name) ?? '';
  const hasRange = one('deliveryDateFrom') !== '' || one('deliveryDateTo') !== '';
  // A range is sorted by its own field only.
  const sorts = SORTS.filter(([sort]) => !hasRange || sort === '' || sort.endsWith('deliveryDate'));
  const setRange = (name: string, value: string) => {
    if (value !== '' && !one('sort').endsWith('deliveryDate')) set('sort', []);
    set(name, [value]);
  };
  return (
    <form className="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="status-filter">
        <legend>Status</legend>
        {COLUMNS.map((status) => (
          <label key={status} className="chip">
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
      </fieldset>
      <label className="filter">
        <span>Type</span>
        <input
          list="shipment-types"
          value={one('shipmentType')}
          onChange={({ target }) => set('shipmentType', [target.value])}
        />
        <datalist id="shipment-types">
          {(settings.shipmentTypes ?? []).map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </label>
      <label className="filter">
        <span>Delivery from</span>
        <input
          type="date"
          value={one('deliveryDateFrom')}
          onChange={({ target }) => setRange('deliveryDateFrom', target.value)}
        />
      </label>
      <label className="filter">
        <span>to</span>
        <input
          type="date"
          value={one('deliveryDateTo')}
          onChange={({ target }) => setRange('deliveryDateTo', target.value)}
        />
      </label>
      <label className="filter">
        <span>Sort</span>
        <select value={one('sort')} onChange={({ target }) => set('sort', [target.value])}>
          {sorts.map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {parameters.size === 0 ? null : (
        <button type="button" className="quiet" onClick={onClear}>
          Clear
        </button>
      )}
      {children}
    </form>
  );
}
