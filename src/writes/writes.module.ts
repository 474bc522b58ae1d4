import { Global, Module } from '@nestjs/common';
import { History } from '../history/history.js';
import { Idempotency } from './idempotency/idempotency.js';
import { Conflicts } from './conflicts.js';
import { UnitOfWork } from './unit-of-work.js';
import { PastVersions } from './past-versions.js';
import { Responder } from './responder.js';

@Global()
@Module({
  providers: [UnitOfWork, History, Idempotency, Conflicts, PastVersions, Responder],
  exports: [UnitOfWork, History, Idempotency, Conflicts, PastVersions, Responder],
})
export class WritesModule {}
