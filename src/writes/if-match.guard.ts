import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { eTagsToMatch, requireCollectionMatch, requireVersion, StaleVersion } from '../etag/preconditions.js';
import { contextOf, requestOf, writerOf } from '../http/request-context.js';
import { DeletedRecords } from '../records/deleted-records.js';
import { Records } from '../records/records.js';
import { notFound } from '../records/resource.js';
import { Conflicts } from './conflicts.js';
import { Idempotency } from './idempotency/idempotency.js';
import { PastVersions } from './past-versions.js';
import { UnitOfWork, type Unit } from './unit-of-work.js';
import { namedVersion, writeRuleOf, type Params, type WriteRule } from './write-rule.js';

/**
 * Opens the transaction of a write, locks the row and compares its version with If-Match. The handler returns a `PendingWrite`, which
 * `Responder` sends together with COMMIT. If anything throws later, `WriteFilter` rolls back.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  constructor(
    private readonly units: UnitOfWork,
    private readonly records: Records,
    private readonly deleted: DeletedRecords,
    private readonly idempotency: Idempotency,
    private readonly pastVersions: PastVersions,
    private readonly conflicts: Conflicts,
    private readonly scopes: ScopeCheck,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf<Request<Params>>(context);
    const rule = writeRuleOf(context.getHandler());
    if (rule === undefined) throw new Error('The route is not marked with @Writes');
    await this.requireScopes(rule, request);
    const writer = writerOf(request);
    const version = writer.isKeyed ? undefined : namedVersion(rule, request);
    const unit = await this.pastVersions.openUnit(version, () => this.units.begin(writer));
    if (unit === undefined) throw await this.conflicts.explain(rule, request);
    try {
      await this.idempotency.claimKey(unit, request);
      contextOf(request).write = { unit, locked: await this.lockAndCompare(unit, rule, request), version };
      return true;
    } catch (error) {
      // Release the row lock first, so that no other writer waits while the conflict is explained from history.
      await unit.rollback();
      throw error instanceof StaleVersion ? await this.conflicts.explain(rule, request) : error;
    }
  }

  /** Before a stored response is repeated or a conflict explained. Under the lock, `permit` checks again: the record may change until then. */
  private async requireScopes(rule: WriteRule, request: Request<Params>): Promise<void> {
    if (rule.scopesFor === undefined) return;
    const resource = 'creates' in rule ? rule.parent : rule.resource;
    const row = resource && (await this.records.find(resource, request.params[resource.parameter] ?? ''));
    // A missing record is a 404, unless this request has deleted it before.
    if (row !== undefined || resource === undefined) this.permit(rule, request, row);
  }

  /** 403 unless the caller has the scopes that depend on the record; 404 for callers who may not learn that it exists. */
  private permit(rule: WriteRule, request: Request<Params>, row: object | undefined): void {
    if (rule.scopesFor === undefined) return;
    const missing = rule
      .scopesFor(row as never, request.body)
      .map((any) => [any].flat())
      .find((any) => !this.scopes.allowsAny(request, any));
    if (missing === undefined) return;
    const resource = 'creates' in rule ? rule.parent : rule.resource;
    if (resource && !this.scopes.allows(request, resource.readScope))
      notFound(resource, request.params[resource.parameter] ?? '');
    this.scopes.require(request, ...missing);
  }

  private async lockAndCompare({ transaction }: Unit, rule: WriteRule, request: Request<Params>) {
    const { params, headers, path } = request;
    if ('creates' in rule) {
      if (rule.parent)
        await this.records.keepFromDeletion(transaction, rule.parent, params[rule.parent.parameter] ?? '');
      requireCollectionMatch(headers);
      return undefined;
    }
    if ('restores' in rule) {
      const deleted = await this.deleted.find(transaction, rule.resource, params[rule.resource.parameter] ?? '');
      deleted.requireVersion(headers);
      await this.deleted.keepParent(transaction, deleted);
      return deleted;
    }
    const { resource, ifMatch, body } = rule;
    const name = params[resource.parameter] ?? '';
    const eTags = eTagsToMatch(headers);
    const locked = await (eTags === undefined
      ? this.records.lock(transaction, resource, name)
      : this.records.lockVersion(transaction, resource, name, eTags));
    if (locked === undefined) throw new StaleVersion();
    const { row } = locked;
    if (body?.partNamed?.(row as never, params) === null) notFound(resource, path);
    this.permit(rule, request, row);
    requireVersion(headers, ifMatch, row.eTag);
    return locked;
  }
}
