import { EXAMPLE_ETAG } from '../validation/json-schema.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { KEPT_DAYS } from './import.entity.js';
import { MAX_FILE_BYTES, MAX_ROWS } from './reading/file-row.js';

const MEGABYTES = MAX_FILE_BYTES / 1024 / 1024;
const { exampleID: id } = SHIPMENTS;

export const UPLOAD_TEXT = `The body is the file: CSV with commas or semicolons, whose first line names the columns as the export does, or JSON lines. In UTF-8, with at most ${MEGABYTES} MB and ${MAX_ROWS} rows. It can be compressed (\`Content-Encoding: gzip\`).

This is a dry run: nothing but the import itself is written. Its counts tell what the rows would do, the answer has the first faults and the first changes, and \`/rows\` has all of them, row by row.

- A row without an \`id\` creates a shipment.
- A row with \`id\` and \`eTag\` changes what differs from that very version. Where others have changed the shipment since, both changes are merged; the row is refused when both changed the same field to different values.
- A row without a difference is passed over. So is an empty one, and columns that the file does not have.
- A row that a single request would be refused for is refused here, with the same problem.

A file that cannot be read as a whole is refused with \`MALFORMED_FILE\`, and nothing is stored. Imports are deleted after ${KEPT_DAYS} days. Everybody who may write shipments sees the rows of an import and may apply it.`;

export const ROWS_TEXT =
  'In the order of the file. Before the import is applied, this is what each row would do; afterwards, what became of it.';

export const APPLY_TEXT = `Answers at once, and writes the rows in the background, a hundred at a time, by the rules of single requests. Read the import to see how far it has come, or follow the events of \`import\`. A row has its effect once, however often this is called: when the service is stopped in the middle, another replica goes on within two minutes, and calling this again goes on at once.`;

export const RESULT_TEXT = `CSV with the rows that were refused, as they were sent, and what is wrong with each: \`error\`, and where others changed the same fields \`changedBy\`, \`changedAt\` and their values in \`theirs:<field>\`. What the row does not change, and its \`eTag\`, are those of the shipment when the row was refused. So mend the rows and send the file again; the added columns are passed over.`;

export const EXAMPLE_FILES = {
  'text/csv': `id,deliveryDate,shipmentType,eTag\r\n${id},2026-04-18,HHG,${EXAMPLE_ETAG}\r\n,2026-04-20,NTS,\r\n`,
  'application/jsonl': `{"id":"${id}","eTag":"${EXAMPLE_ETAG}","deliveryDate":"2026-04-18"}\n{"shipmentType":"NTS"}\n`,
};

export const EXAMPLE_RESULT = {
  type: 'text/csv',
  example: `id,deliveryDate,eTag,error,changedBy,changedAt,theirs:deliveryDate\r\n${id},2026-04-18,${EXAMPLE_ETAG},deliveryDate was changed to another value by Ann Porter at 2026-03-02T14:05:12.345Z (CONFLICT),Ann Porter,2026-03-02T14:05:12.345Z,2026-04-16\r\n`,
};
