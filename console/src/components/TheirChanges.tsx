import { authorOf } from '../author.js';
import { labelOf } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import type { TheirChange } from '../model/merge.js';
import { Ago } from './Moment.js';

interface TheirChangesProps {
  readonly recordID: string;
  readonly changes: readonly TheirChange[];
}

/** Lists who changed what and how long ago, as far as known. */
export function TheirChanges({ recordID, changes }: TheirChangesProps) {
  return (
    <ul>
      {changes.map(({ field, base, current, changedBy, changedAt }) => (
        <li key={field}>
          <strong>{authorOf(recordID, changedBy, changedAt)}</strong>
          {changedAt === undefined ? null : (
            <>
              , <Ago at={changedAt} />
            </>
          )}
          : {labelOf(field)} {formatValue(field, base)} → {formatValue(field, current)}
        </li>
      ))}
    </ul>
  );
}
