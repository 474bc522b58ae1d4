import { Problem, shortened } from '../../problem/problem.js';

const MAX_NAME_LENGTH = 80;

/** Where in a file something is wrong. */
export interface Place {
  readonly line?: number;
  /** The name of a column, as the file has it. */
  readonly column?: string;
}

/** A file that cannot be read as a whole: 400, with the place. Faults of single rows are told with their rows. */
export function fileFault(message: string, { line, column }: Place = {}): Problem {
  const name = column && shortened(column, MAX_NAME_LENGTH);
  const place = [line && `Line ${line}`, name !== undefined && `column ${JSON.stringify(name)}`].filter(Boolean);
  const detail = place.length === 0 ? `The file ${message}.` : `${place.join(', ')}: ${message}.`;
  return new Problem('MALFORMED_FILE', `${detail} Nothing was stored.`, {
    members: { ...(line !== undefined && { line }), ...(name !== undefined && { column: name }) },
  });
}
