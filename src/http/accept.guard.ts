import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Problem } from '../problem/problem.js';

const PRODUCES = 'waybill:produces';
const JSON_ONLY = ['application/json'];

/** The media types a route answers in, when that is not JSON alone. */
export function Produces(...types: string[]): MethodDecorator {
  return SetMetadata(PRODUCES, types);
}

/** 406 for a client that takes nothing of what the route answers in. */
@Injectable()
export class AcceptGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const accept = request.headers.accept;
    if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
    const types = this.reflector.get<string[] | undefined>(PRODUCES, context.getHandler()) ?? JSON_ONLY;
    if (request.accepts(types) !== false) return true;
    throw new Problem('NOT_ACCEPTABLE', `This path answers in ${types.join(' or ')}; let the Accept header allow it.`);
  }
}
