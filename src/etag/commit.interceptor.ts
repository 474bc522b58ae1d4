import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Transaction } from '../database/transaction.js';
import { writeOf } from './write-slot.js';

/** Ends the transaction that the guard opened: COMMIT when the handler has an answer, ROLLBACK when anything is thrown. */
@Injectable()
export class CommitInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { transaction } = writeOf(context.switchToHttp().getRequest());
    transaction.hold();
    return from(commitAfter(transaction, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}

async function commitAfter<Answer>(transaction: Transaction, handle: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await handle();
    await transaction.commit();
    return answer;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
