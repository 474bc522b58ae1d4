import { stringify } from 'csv-stringify/sync';

/** UTF-8 without it is taken for another encoding by Excel. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Lines of CSV as RFC 4180 says: CRLF, and quotes around cells with a delimiter, a quote or a line break. */
export function csvLines(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(rows as string[][], {
    delimiter,
    record_delimiter: 'windows',
    // The library looks for CRLF alone, and those who read the file end a line at either of the two.
    quoted_match: /[\r\n]/,
  });
}
