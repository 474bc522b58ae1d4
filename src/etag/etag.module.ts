import { Global, Module } from '@nestjs/common';
import { History } from '../history/history.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Conflicts } from './conflicts.js';
import { PastVersions } from './past-versions.js';
import { Representation } from './representation.js';
import { WriteCommit } from './write-commit.js';

/** What every conditional write needs, wherever its route is. */
@Global()
@Module({
  providers: [History, Idempotency, Conflicts, PastVersions, Representation, WriteCommit],
  exports: [History, Idempotency, Conflicts, PastVersions, WriteCommit],
})
export class ETagModule {}
