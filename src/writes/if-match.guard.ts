import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { contextOf, writeOf, writerOf } from '../http/request-context.js';
import { Idempotency } from './idempotency/idempotency.js';
import { unavailable, type Problem } from '../problem/problem.js';
import { Records } from '../records/records.js';
import { notFound, type Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { Conflicts } from './conflicts.js';
import { PastVersions } from './past-versions.js';
import { eTagsToMatch, requireCollectionMatch, requireVersion, StaleVersion } from '../etag/preconditions.js';
import { namedVersion, WRITE_RULE, writeRuleOf, type HasPart, type Params, type WriteRule } from './write-rule.js';
import { WriteFilter } from './write.filter.js';
import { unitOf, UnitOfWork, type Unit } from './unit-of-work.js';

/** PATCH and PUT: If-Match must name the current version of the record, which the handler gets locked. */
export function IfMatch<T extends VersionedRecord>(resource: Resource<T>, hasPart?: HasPart<T>): MethodDecorator {
  return writes({ resource, ifMatch: 'required', hasPart });
}

/** DELETE: If-Match is honoured when it is sent. */
export function IfMatchOptional(resource: Resource): MethodDecorator {
  return writes({ resource, ifMatch: 'optional' });
}

/** POST: there is no version to compare. The parent that the path names cannot be deleted until the transaction ends. */
export function Creates(parent?: Resource): MethodDecorator {
  return writes({ creates: true, parent });
}

function writes(rule: WriteRule): MethodDecorator {
  return applyDecorators(SetMetadata(WRITE_RULE, rule), UseGuards(IfMatchGuard), UseFilters(WriteFilter));
}

/** The record that the guard locked and compared, as a `Locked`; undefined where a record is created. */
export const LockedRow = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return writeOf(context.switchToHttp().getRequest()).locked;
});

/** The transaction that the guard opened, for what a service has to look up in it. */
export const InTransaction = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return unitOf(context.switchToHttp().getRequest()).transaction;
});

/**
 * Opens the transaction of a write, locks the row and compares its version with If-Match. The handler returns a `Change`;
 * `Unit` sends it together with COMMIT. `WriteFilter` rolls back whatever is thrown after this guard has passed.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly records: Records,
    private readonly idempotency: Idempotency,
    private readonly pastVersions: PastVersions,
    private readonly conflicts: Conflicts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request<Params>>();
    const rule = writeRuleOf(context.getHandler());
    const writer = writerOf(request);
    const version = writer.isKeyed ? undefined : namedVersion(rule, request);
    const deadline = this.database.deadline();
    // Nothing is awaited between the last look for a rival and this request's own entry. So when a rival was rolled back, the first
    // request that continues becomes the rival of the others, and one transaction for this version is open at a time.
    for (let rival; (rival = this.pastVersions.writerOf(version)) !== undefined;) {
      await rival;
      if (performance.now() > deadline) throw recordBusy();
    }
    if (this.pastVersions.includes(version)) throw await this.conflicts.explain(context);
    const begun = this.units.begin(writer);
    this.pastVersions.replaceIn(begun, version);
    const unit = await begun;
    try {
      await this.idempotency.refuseRepetition(unit, request);
      contextOf(request).write = { unit, locked: await this.lockAndCompare(unit, rule, request) };
      return true;
    } catch (error) {
      // Releases the row lock first, so that no other writer waits while a conflict is explained from history.
      await unit.rollback();
      throw error instanceof StaleVersion ? await this.conflicts.explain(context) : error;
    }
  }

  private async lockAndCompare({ transaction }: Unit, rule: WriteRule, request: Request<Params>) {
    const { params, headers, path } = request;
    if ('creates' in rule) {
      if (rule.parent) await this.records.hold(transaction, rule.parent, params[rule.parent.parameter] ?? '');
      requireCollectionMatch(headers);
      return undefined;
    }
    const { resource, hasPart } = rule;
    const name = params[resource.parameter] ?? '';
    const eTags = eTagsToMatch(headers);
    const locked = await (eTags === undefined
      ? this.records.lock(transaction, resource, name)
      : this.records.lockVersion(transaction, resource, name, eTags));
    if (locked === undefined) throw new StaleVersion();
    const { row } = locked;
    if (hasPart?.(row as never, params) === false) notFound(resource, path);
    requireVersion(headers, rule.ifMatch, row.eTag);
    return locked;
  }
}

function recordBusy(): Problem {
  return unavailable('Other requests keep this record busy. Try again in a moment.');
}
