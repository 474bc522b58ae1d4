import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { KEPT_DAYS } from '../model/import.entity.js';
import { MAX_FILE_BYTES, MAX_ROWS } from './reading/file-format.js';

const MEGABYTES = MAX_FILE_BYTES / 1024 / 1024;
const { exampleID: id } = SHIPMENTS;

export const UPLOAD_TEXT = `The body is the file: CSV with the column names of the export in its first line, or JSON lines, with at most ${MEGABYTES} MB and ${MAX_ROWS} rows. CSV is read as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252. Do not name a charset in Content-Type. It may be compressed (\`Content-Encoding: gzip\`).

This is a dry run: only the import itself is written. Its counts summarize what the rows would do, the response lists the first faults and changes, and \`/rows\` lists all rows.

- A row without an \`id\` creates a shipment.
- A row with \`id\` and \`eTag\` changes the fields that differ from that version. If others have changed the shipment since, both changes are merged; the row is refused if both set the same field to different values.
- A row without a difference is skipped. So are empty rows, and fields without a column.
- In CSV, a cell in which a spreadsheet has written the old value in its own way (\`501\` for \`00501\`, \`12/1/2026\`, \`4,500\`) is no difference, unless the other cells of its column are not written in the same way. Other dates and numbers are read in the order of \`dates\` and with the sign of \`decimal\`. Without these parameters, the import is \`ambiguous\` if a changed cell has several readings, and cannot be applied.
- A row is refused with the same problem as the equivalent single request.

An unreadable file is refused with \`MALFORMED_FILE\`, and nothing is stored. An import is deleted ${KEPT_DAYS} days after its upload, or after it was applied; never while it is being applied. Every caller who may write shipments can see the rows of an import and apply it.`;

export const ROWS_TEXT =
  'In file order, in pages. A `Link` header points to the next page, if any. Shows the planned outcome of each row before the import is applied, and the actual outcome afterwards.';

export const APPLY_TEXT = `Responds at once and writes the rows in the background, a hundred at a time, by the rules of single requests. Read the import to see its progress, or follow the events of \`import\`. Each row takes effect once, however often this is called. If the service is stopped, another replica resumes within two minutes; calling this again resumes at once. The import is then kept for another ${KEPT_DAYS} days.`;

export const SETTLE_TEXT =
  'After the conflict of a refused row was settled with a request for its shipment: the row is then `changed`, keeps its `code`, and is no longer in the result file. Does not write the shipment. 400 if the line has no refused row with a conflict, also because it is settled already.';

export const RESULT_TEXT = `The refused rows as they were sent, in the format of the uploaded file, and the faults of each in \`error\`. For conflicts, \`changedBy\`, \`changedAt\` and \`theirs\` show the changes by others: in CSV a column \`theirs:<field>\` per field, in JSON Lines an object with the fields. The \`eTag\` and the values that the row does not change are those of the shipment when the row was refused. Correct the rows and upload the file again; what was added is ignored. 406 if \`Accept\` does not allow the format of the import.`;

export const EXAMPLE_FILES = {
  'text/csv': `id,deliveryDate,shipmentType,eTag\r\n${id},2026-04-18,HHG,${EXAMPLE_ETAG}\r\n,2026-04-20,NTS,\r\n`,
  'application/jsonl': `{"id":"${id}","eTag":"${EXAMPLE_ETAG}","deliveryDate":"2026-04-18"}\n{"shipmentType":"NTS"}\n`,
};

export const EXAMPLE_RESULT = {
  'text/csv': `id,deliveryDate,eTag,error,changedBy,changedAt,theirs:deliveryDate\r\n${id},2026-04-18,${EXAMPLE_ETAG},deliveryDate was changed to another value by Ann Porter at 2026-03-02T14:05:12.345Z (CONFLICT),Ann Porter,2026-03-02T14:05:12.345Z,2026-04-16\r\n`,
  'application/jsonl': `{"id":"${id}","deliveryDate":"2026-04-18","eTag":"${EXAMPLE_ETAG}","error":"deliveryDate was changed to another value by Ann Porter at 2026-03-02T14:05:12.345Z (CONFLICT)","changedBy":"Ann Porter","changedAt":"2026-03-02T14:05:12.345Z","theirs":{"deliveryDate":"2026-04-16"}}\n`,
};
