import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { formatOf, type FileFormat } from '../http/media-types.js';
import { requireCollectionMatch } from '../etag/preconditions.js';
import { Responder } from '../writes/responder.js';
import type { Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Slots } from '../http/slots.js';
import { Idempotency } from '../writes/idempotency/idempotency.js';
import { Records } from '../records/records.js';
import { isOutcomeUnknown, UnitOfWork } from '../writes/unit-of-work.js';
import { ColumnForms } from './column-forms.js';
import { DryRun } from './dry-run.js';
import { DryRunPreview } from './dry-run-preview.js';
import { NO_ROWS, recount, type Counts } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS, keptUntil, type Import } from '../model/import.entity.js';
import type { FileRow, Header } from './reading/file-format.js';
import type { UploadQuery } from './dto/import-queries.js';
import { readWhole } from './reading/read-file.js';
import type { UploadedFile } from './reading/uploaded-file.js';
import { ReformattedCells } from './reformatted-cells.js';

/** Number of rows to examine together. */
const BATCH = 200;

@Injectable()
export class ImportUploadService {
  constructor(
    private readonly units: UnitOfWork,
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly dryRun: DryRun,
    private readonly responder: Responder,
    private readonly idempotency: Idempotency,
    slots: Slots,
  ) {
    // Each file takes up to MAX_FILE_BYTES on disk.
    slots.declare('uploads', { what: 'uploads', limit: 4, share: 2, retryAfterSeconds: 5 });
  }

  /** Reads the whole file first, so that nothing of an unreadable one is stored. Rows are invisible until their import is stored. */
  async take(request: Request, { fileName, ...notation }: UploadQuery): Promise<Reply> {
    const file = request.body as UploadedFile;
    const forms = new ColumnForms();
    const again = await this.readWhole(request, file, forms);
    const id = uuidv7();
    try {
      const { counts, first } = await this.storeRows(id, again(), new ReformattedCells(notation, forms));
      return await this.create(request, { id, fileName: fileName ?? null, format: formatOf(file.type) }, counts, first);
    } catch (error) {
      // If the outcome of COMMIT is unknown, the import may exist and need its rows. Housekeeping deletes orphaned rows.
      if (!isOutcomeUnknown(error)) await this.rows.delete(id).catch(() => undefined);
      throw error;
    }
  }

  /** Even an unreadable file counts toward the caller's limit. */
  private async readWhole(request: Request, file: UploadedFile, forms: ColumnForms) {
    let rows = 0;
    try {
      return await readWhole(file, (row) => {
        rows += 1;
        forms.see(row);
      });
    } finally {
      contextOf(request).countFile(Math.max(rows, Math.ceil(file.bytes / 1000)));
    }
  }

  private async storeRows(id: string, rows: AsyncIterable<FileRow>, cells: ReformattedCells) {
    let counts = NO_ROWS;
    const first = new DryRunPreview();
    const underCheck = { seen: new Set<string>(), cells };
    let header: Header | undefined;
    let batch: FileRow[] = [];
    const store = async () => {
      const checked = await this.dryRun.check(batch, underCheck);
      counts = recount(counts, [], checked);
      for (const row of checked) first.add(row);
      await this.rows.add(id, checked);
      batch = [];
    };
    for await (const row of rows) {
      header = row.header;
      batch.push(row);
      if (batch.length === BATCH) await store();
    }
    if (batch.length > 0) await store();
    if (header !== undefined) await this.rows.addHeader(id, header);
    return { counts, first };
  }

  private create(
    request: Request,
    file: Pick<Import, 'id' | 'fileName'> & { readonly format: FileFormat | undefined },
    counts: Counts,
    first: DryRunPreview,
  ) {
    const writer = writerOf(request);
    const created = this.records.create(IMPORTS, {
      ...file,
      state: first.ambiguousCells.length > 0 ? 'ambiguous' : 'ready',
      createdBy: writer.caller.name ?? writer.caller.subject,
      rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      expiresAt: keptUntil(),
    });
    return this.units.run(writer, async (unit) => {
      await this.idempotency.claimKey(unit, request);
      requireCollectionMatch(request.headers);
      return this.responder.commit(request, unit, [created.shownAs((stored) => stored.with(first))], 201);
    });
  }
}
