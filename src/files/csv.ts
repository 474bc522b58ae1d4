import { stringify } from 'csv-stringify/sync';

/** Excel does not recognize UTF-8 without it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** CSV lines (RFC 4180): CRLF, and quotes around cells with a quote, a line break, or anything that some reader treats as a delimiter. */
export function csvLines(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(rows as string[][], {
    delimiter,
    record_delimiter: 'windows',
    // The library quotes its own delimiter and CRLF only. Readers accept CR or LF, and LibreOffice treats commas, semicolons and tabs all as
    // delimiters.
    quoted_match: /[\r\n,;\t]/,
  });
}
