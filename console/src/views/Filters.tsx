import { useState, type ReactNode } from 'react';
import { formatCode } from '../model/format.js';
import { sortChoices } from '../model/sorts.js';
import { COLUMNS } from '../model/status.js';
import { knownTypes, typeNamed } from './types.js';

interface FiltersProps {
  readonly parameters: URLSearchParams;
  readonly set: (name: string, values: readonly string[]) => void;
  readonly onClear: () => void;
  /** Further actions on the filtered list. */
  readonly children: ReactNode;
}

export function Filters({ parameters, set, onClear, children }: FiltersProps) {
  const [isShown, setIsShown] = useState(false);
  const [types, setTypes] = useState<readonly string[]>([]);
  const chosen = parameters.getAll('status');
  const one = (name: string) => parameters.get(name) ?? '';
  const hasRange = one('deliveryDateFrom') !== '' || one('deliveryDateTo') !== '';
  const { sort, choices } = sortChoices(one('sort'), hasRange);
  const setRange = (name: string, value: string) => {
    if (value !== '' && !one('sort').endsWith('deliveryDate')) set('sort', []);
    set(name, [value]);
  };
  return (
    <form
      className={isShown ? 'filters shown' : 'filters'}
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      <button type="button" className="show-filters" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {parameters.size === 0 ? 'Filters' : `Filters (${parameters.size})`}
      </button>
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
          onFocus={() => setTypes(knownTypes())}
          onChange={({ target }) => set('shipmentType', [typeNamed(target.value, types)])}
        />
        <datalist id="shipment-types">
          {types.map((type) => (
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
      <label className="filter" hidden={one('q') !== ''}>
        <span>Sort</span>
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
          Found by “{one('q')}” ×
        </button>
      )}
      {one('moveID') === '' ? null : (
        <button type="button" onClick={() => set('moveID', [])}>
          Only move {one('moveID')} ×
        </button>
      )}
      {parameters.size === 0 ? null : (
        <button type="button" className="quiet" onClick={onClear}>
          Clear filters
        </button>
      )}
      {children}
    </form>
  );
}
