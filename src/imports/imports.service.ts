import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { fileHeaders } from '../files/export-file.js';
import { numberedPage } from '../records/paging.js';
import { type Reply, StreamedReply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { Slots } from '../http/slots.js';
import { untilClosed } from '../http/until-closed.js';
import { describeCause } from '../problem/failures.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import { Page } from '../records/rendered-record.js';
import { ImportWorker } from './import-worker.js';
import { shownRow, type ImportRowsQuery } from './dto/import-row.dto.js';
import { OUTCOMES } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS, type Import } from './import.entity.js';
import { resultLines } from './result-file.js';

@Injectable()
export class ImportsService {
  private readonly logger = new Logger('Imports');

  constructor(
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly applier: ImportWorker,
    private readonly slots: Slots,
  ) {}

  /** One page of the rows, in file order. */
  async page(id: string, query: ImportRowsQuery): Promise<Page> {
    await this.records.read(IMPORTS, id);
    const { limit, after } = numberedPage(query);
    const request = { after: Number(after ?? 0), outcomes: query.outcome ?? OUTCOMES, limit: limit + 1 };
    const rows = await this.rows.after(id, request);
    const listed = rows.slice(0, limit);
    const texts = listed.map((row) => JSON.stringify(shownRow(row)));
    return new Page(texts.join(','), rows.length > limit ? String(listed.at(-1)?.line) : undefined);
  }

  /** The refused rows as a file. */
  async result(request: Request, id: string): Promise<Reply> {
    this.slots.results.takeUntilClosed(request);
    await this.records.read(IMPORTS, id);
    const signal = untilClosed(request);
    const ended = (failure: unknown) => {
      if (failure === undefined || signal.aborted) return;
      this.logger.error(`${contextOf(request).requestID} a result file was truncated: ${describeCause(failure)}`);
    };
    return new StreamedReply(fileHeaders(`import-${id}`, 'csv'), { chunks: resultLines(this.rows, id), signal, ended });
  }

  /** Starts to write the rows after the commit. Does nothing for an applied import. */
  apply(request: Request, locked: Locked<Import>): PendingWrite {
    const { requestID, caller } = contextOf(request);
    const { id, state } = locked.row;
    return locked.update({ state: state === 'applied' ? state : 'applying' }).afterCommit(() => {
      this.logger.log(`${requestID} applies ${id}`);
      this.applier.start(id, { requestID, caller });
    });
  }
}
