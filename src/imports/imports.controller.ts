import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import type { Transaction } from '../database/transaction.js';
import { InTransaction, LockedRow, RunsUnits, Writes } from '../writes/writes.decorator.js';
import { FILE_TYPES } from '../http/media-types.js';
import { Produces } from '../http/accept.guard.js';
import { QueryOf } from '../http/query.guard.js';
import type { Reply } from '../http/reply.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { file, listOf, recordOf } from '../openapi/response.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import { pageRequest, PagingQuery } from '../records/paging.js';
import { Records, type Locked } from '../records/records.js';
import { ResultQuery, SettleQuery, UploadQuery } from './dto/import-queries.js';
import { IMPORT_ROW, ImportRowsQuery } from './dto/import-row.dto.js';
import { DRY_RUN } from './dry-run-preview.js';
import {
  APPLY_TEXT,
  EXAMPLE_FILES,
  EXAMPLE_RESULT,
  RESULT_TEXT,
  ROWS_TEXT,
  SETTLE_TEXT,
  UPLOAD_TEXT,
} from './import-texts.js';
import { Import, IMPORTS } from '../model/import.entity.js';
import { ImportsService } from './imports.service.js';
import { ImportUploadService } from './import-upload.service.js';
import { AMBIGUOUS_FILE, MALFORMED_FILE } from './import-problems.js';

@Controller(IMPORTS.path)
@Tag('Imports', 'Shipments from a file: examined first, then written.')
@Stability('supported')
export class ImportsController {
  constructor(
    private readonly records: Records,
    private readonly imports: ImportsService,
    private readonly files: ImportUploadService,
  ) {}

  @Get()
  @NeedsScope('shipments:read')
  @Operation('listImports', 'List imports', { response: listOf(Import) })
  list(@QueryOf(PagingQuery) query: PagingQuery): Promise<Page> {
    return this.records.page(IMPORTS, pageRequest(query));
  }

  @Post()
  @NeedsScope('shipments:write')
  @RunsUnits()
  @Operation('createImport', 'Upload a file for a dry run', {
    description: UPLOAD_TEXT,
    response: recordOf(Import, DRY_RUN),
    body: { files: EXAMPLE_FILES },
    problems: [MALFORMED_FILE],
  })
  create(@Req() request: Request, @QueryOf(UploadQuery) query: UploadQuery): Promise<Reply> {
    return this.files.take(request, query);
  }

  @Get(':importID')
  @NeedsScope('shipments:read')
  @Operation('readImport', 'Read an import and its progress', { response: recordOf(Import), problems: ['NOT_KEPT'] })
  read(@Param('importID') id: string): Promise<RenderedRecord> {
    return this.imports.read(id);
  }

  @Get(':importID/rows')
  @NeedsScope('shipments:write')
  @Operation('listImportRows', 'List the rows of an import', {
    description: ROWS_TEXT,
    response: { ...listOf(IMPORT_ROW), kind: 'other' },
    problems: ['NOT_KEPT'],
  })
  rows(@Param('importID') id: string, @QueryOf(ImportRowsQuery) query: ImportRowsQuery): Promise<Page> {
    return this.imports.page(id, query);
  }

  @Post(':importID/apply')
  @Writes({ resource: IMPORTS, scope: 'shipments:write', ifMatch: 'optional' })
  @HttpCode(202)
  @Operation('applyImport', 'Apply an import', {
    description: APPLY_TEXT,
    response: recordOf(Import),
    problems: ['NOT_KEPT', AMBIGUOUS_FILE],
  })
  apply(@Req() request: Request, @LockedRow() locked: Locked<Import>): PendingWrite {
    return this.imports.apply(request, locked);
  }

  @Post(':importID/settle')
  @Writes({ resource: IMPORTS, scope: 'shipments:write', ifMatch: 'optional' })
  @HttpCode(200)
  @Operation('settleImportRow', 'Count a refused row as settled', {
    description: SETTLE_TEXT,
    response: recordOf(Import),
    problems: ['NOT_KEPT'],
  })
  settle(
    @InTransaction() transaction: Transaction,
    @LockedRow() locked: Locked<Import>,
    @QueryOf(SettleQuery) { line }: SettleQuery,
  ): Promise<PendingWrite> {
    return this.imports.settle(transaction, locked, line);
  }

  @Get(':importID/result')
  @NeedsScope('shipments:write')
  @Produces(...Object.values(FILE_TYPES))
  @Operation('readImportResult', 'Download the refused rows', {
    description: RESULT_TEXT,
    response: file(EXAMPLE_RESULT),
    problems: ['NOT_KEPT'],
  })
  result(
    @Req() request: Request,
    @Param('importID') id: string,
    @QueryOf(ResultQuery) query: ResultQuery,
  ): Promise<Reply> {
    return this.imports.result(request, id, query);
  }
}
