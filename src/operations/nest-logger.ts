import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Redirects NestJS's log to pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** NestJS logs its own start at debug level. */
  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  /** NestJS passes (message, stack, context) or (message, context). */
  error(message: unknown, ...rest: unknown[]): void {
    const context = rest.pop();
    this.logger.error({ context, ...(rest.length > 0 && { stack: rest[0] }) }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }
}
