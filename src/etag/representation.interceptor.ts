import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { Reply } from '../http/reply.js';
import { Representation } from './representation.js';

/** Puts every answer into its form; that of a write has it already, because it was kept in that form. */
@Injectable()
export class RepresentationInterceptor implements NestInterceptor {
  constructor(private readonly representation: Representation) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<Reply> {
    const request = context.switchToHttp().getRequest<Request>();
    return next
      .handle()
      .pipe(map((answer: unknown) => (answer instanceof Reply ? answer : this.representation.of(request, answer))));
  }
}
