import { Problem, shortened } from '../../problem/problem.js';

const MAX_NAME_LENGTH = 80;

/** The position of a fault in a file. */
interface Place {
  readonly line?: number;
  /** The name of the column in the file. */
  readonly column?: string | undefined;
}

/** 400 for an unreadable file, with the position. Faults of single rows are reported with the rows. */
export function fileFault(message: string, { line, column }: Place = {}): Problem {
  const name = column && shortened(column, MAX_NAME_LENGTH);
  const place = [line && `Line ${line}`, name !== undefined && `column ${JSON.stringify(name)}`].filter(Boolean);
  const detail = place.length === 0 ? `The file ${message}.` : `${place.join(', ')}: ${message}.`;
  return new Problem('MALFORMED_FILE', `${detail} Nothing was stored.`, { members: { line, column: name } });
}
