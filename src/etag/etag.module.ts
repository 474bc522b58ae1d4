import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { History } from '../history/history.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Conflicts } from './conflicts.js';
import { RepresentationInterceptor } from './representation.interceptor.js';
import { Representation } from './representation.js';

/** What every conditional write needs, wherever its route is. */
@Global()
@Module({
  providers: [
    History,
    Idempotency,
    Conflicts,
    Representation,
    { provide: APP_INTERCEPTOR, useClass: RepresentationInterceptor },
  ],
  exports: [History, Idempotency, Conflicts, Representation],
})
export class ETagModule {}
