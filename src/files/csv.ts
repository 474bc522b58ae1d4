import { stringify } from 'csv-stringify/sync';

/** UTF-8 without it is taken for another encoding by Excel. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Lines of CSV as RFC 4180 says: CRLF, and quotes around cells with a quote, a line break, or what some reader takes for a delimiter. */
export function csvLines(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(rows as string[][], {
    delimiter,
    record_delimiter: 'windows',
    // The library looks for its delimiter and for CRLF. Readers end a line at either of the two, and LibreOffice takes commas, semicolons
    // and tabs for delimiters, all at once.
    quoted_match: /[\r\n,;\t]/,
  });
}
