import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { Database } from '../database/database.js';
import { MOVES } from '../model/move.entity.js';
import { DEFAULT_LIMIT, textIn } from '../records/paging.js';
import { Records } from '../records/records.js';
import { Page } from '../records/rendered-record.js';
import { canonicalName } from '../validation/json-schema.js';
import type { DeletionListQuery } from './deletion-queries.js';
import { deletionsPage, MOVE_BY_CODE, type DeletionFilter } from './deletions-sql.js';
import { RESTORABLE } from '../model/resources.js';

/** A deletion as the API shows it, except its values, which are stored by column. A page without deletions has a row of nulls. */
interface DeletionRow {
  /** The last deletion that was examined, if more may follow. */
  readonly examinedTo: string | null;
  readonly resource: string;
  readonly position: string | null;
  readonly deletedAt: string;
  readonly stored: object | null;
  readonly erased: boolean;
}

@Injectable()
export class DeletionsService {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
  ) {}

  async page(request: Request, query: DeletionListQuery): Promise<Page> {
    const { limit = DEFAULT_LIMIT, cursor } = query;
    const { statement, values } = deletionsPage(await this.filterOf(request, query), limit, cursor && textIn(cursor));
    const rows = await this.database.query<DeletionRow>(statement, values);
    const listed = rows.filter(({ position }) => position !== null);
    const shown = await this.shown(listed.slice(0, limit));
    const last = listed.length > limit ? listed[limit - 1] : undefined;
    const lastKey = last === undefined ? rows[0]?.examinedTo : `${last.deletedAt} ${String(last.position)}`;
    return new Page(shown.join(','), lastKey ?? undefined);
  }

  private async filterOf(request: Request, query: DeletionListQuery): Promise<DeletionFilter> {
    const { resource, resourceID, moveID, code, deletedBy, deletedSince } = query;
    const readable = RESTORABLE.filter(({ readScope }) => this.scopes.allows(request, readScope));
    const kinds = readable.map(({ name }) => name).filter((name) => resource?.includes(name) ?? true);
    return {
      resourceID,
      // Null, which matches nothing, for an unknown code.
      moveID: moveID && ((await this.idOfMove(moveID)) ?? null),
      code: code && canonicalName(code),
      kinds: kinds.length === RESTORABLE.length ? undefined : kinds,
      deletedBy,
      deletedSince,
    };
  }

  private async idOfMove(name: string): Promise<string | undefined> {
    const id = await this.records.findID(MOVES, name);
    if (id !== undefined) return id;
    const [deleted] = await this.database.query<{ id: string }>(MOVE_BY_CODE, [canonicalName(name)]);
    return deleted?.id;
  }

  /** The JSON of each deletion. The rows of one kind are rendered together. */
  private async shown(rows: readonly DeletionRow[]): Promise<string[]> {
    const rendered = new Map<DeletionRow, string>();
    for (const resource of RESTORABLE) {
      const ofKind = rows.filter(({ resource: name, stored }) => name === resource.name && stored !== null);
      const records = await this.records.rendered(
        resource,
        ofKind.map(({ stored }) => stored ?? {}),
      );
      ofKind.forEach((row, index) => rendered.set(row, records[index] ?? 'null'));
    }
    return rows.map((row) => {
      const { stored: _, position: __, examinedTo: ___, erased, ...deletion } = row;
      const json = JSON.stringify(deletion).slice(0, -1);
      return `${json},"values":${rendered.get(row) ?? 'null'}${erased ? ',"erased":true' : ''}}`;
    });
  }
}
