import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import type { Transaction } from '../database/transaction.js';
import { History } from '../history/history.js';
import { QueryOf } from '../http/query.guard.js';
import { Key, KEYS } from '../model/key.entity.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { listOf, recordOf } from '../openapi/response.js';
import { CHANGES } from '../openapi/schemas/history-entry.js';
import { numberedPage, NumberedPagingQuery, pageRequest, PagingQuery } from '../records/paging.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import { Fields } from '../writes/fields.pipe.js';
import { writesOf } from '../writes/write-rule.js';
import { InTransaction, LockedRow, Writes } from '../writes/writes.decorator.js';
import { KeyFields, permittedExpiry } from './dto/key-fields.js';
import { NEEDS_ITS_SCOPES, scopesToWrite } from './key-rights.js';
import { KeysService } from './keys.service.js';
import { SHOWN_ONCE } from './shown-once.js';

const WRITES = writesOf({
  resource: KEYS,
  scope: 'keys:write',
  fields: KeyFields,
  configured: (_, fields: KeyFields, current?: Key) => permittedExpiry(fields, current),
  scopesFor: scopesToWrite,
});
const ROTATE = {
  resource: KEYS,
  scope: 'keys:write',
  scopesFor: (row: Key) => row.scopes,
  ifMatch: 'optional',
} as const;

@Controller(KEYS.path)
@Tag('Keys', 'API keys for programs that have no tokens of an OpenID provider. They work if AUTH_MODE includes `keys`.')
@Stability('supported')
export class KeysController {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
    private readonly keys: KeysService,
  ) {}

  @Get()
  @NeedsScope('keys:read')
  @Operation('listKeys', 'List API keys', { response: listOf(Key) })
  list(@QueryOf(PagingQuery) query: PagingQuery): Promise<Page> {
    return this.records.page(KEYS, pageRequest(query));
  }

  @Post()
  @Writes(WRITES.create)
  @Operation('createKey', 'Create an API key', {
    response: recordOf(Key, SHOWN_ONCE),
    problems: ['LIMIT_REACHED'],
    description:
      'Only this response shows the key. Requires every scope that the key gets. Without `expiresAt` it expires in a year; the latest is in five.',
  })
  create(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @Fields() fields: KeyFields,
  ): Promise<PendingWrite> {
    return this.keys.create(request, transaction, fields);
  }

  @Get(':keyID')
  @NeedsScope('keys:read')
  @Operation('readKey', 'Read an API key', { response: recordOf(Key) })
  read(@Param('keyID') id: string): Promise<RenderedRecord> {
    return this.records.read(KEYS, id);
  }

  @Get(':keyID/history')
  @NeedsScope('keys:read')
  @Operation('listKeyHistory', 'List the changes of an API key', { response: CHANGES })
  history(@Param('keyID') id: string, @QueryOf(NumberedPagingQuery) paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([KEYS], id, numberedPage(paging));
  }

  @Patch(':keyID')
  @Writes(WRITES.update)
  @Operation('updateKey', 'Change fields of an API key', { response: recordOf(Key), description: NEEDS_ITS_SCOPES })
  update(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @LockedRow() key: Locked<Key>,
    @Fields() fields: Partial<KeyFields>,
  ): Promise<PendingWrite> {
    return this.keys.update(request, transaction, key, fields);
  }

  @Put(':keyID')
  @Writes(WRITES.replace)
  @Operation('replaceKey', 'Replace the fields of an API key', {
    response: recordOf(Key),
    description: NEEDS_ITS_SCOPES,
  })
  replace(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @LockedRow() key: Locked<Key>,
    @Fields() fields: KeyFields,
  ): Promise<PendingWrite> {
    return this.keys.update(request, transaction, key, fields);
  }

  @Delete(':keyID')
  @Writes(WRITES.remove)
  @HttpCode(204)
  @Operation('deleteKey', 'Revoke an API key', {
    description: 'The key stops working on every replica within 5 seconds.',
  })
  remove(@LockedRow() key: Locked<Key>): PendingWrite {
    return key.remove();
  }

  @Post(':keyID/rotateKey')
  @Writes(ROTATE)
  @HttpCode(200)
  @Operation('rotateKey', 'Replace an API key by a new one', {
    response: recordOf(Key, SHOWN_ONCE),
    problems: ['LIMIT_REACHED'],
    description: `${NEEDS_ITS_SCOPES} Only this response shows the new key. The previous one keeps working for 24 hours.`,
  })
  rotate(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @LockedRow() key: Locked<Key>,
  ): Promise<PendingWrite> {
    return this.keys.rotate(request, transaction, key);
  }
}
