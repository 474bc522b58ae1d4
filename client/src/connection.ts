import { bounded } from './pause.js';

/**
 * The signal of one request: it follows the caller's signal and has a timeout. It leaves nothing behind at the caller's signal, which may
 * live as long as the program.
 */
export class Connection {
  private readonly controller = new AbortController();
  private readonly end = () => this.controller.abort(this.caller?.reason);
  isOverdue = false;

  constructor(private readonly caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    caller?.addEventListener('abort', this.end, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Runs only while waiting for data: a caller may take any time between two events. */
  async within<T>(milliseconds: number, wait: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.isOverdue = true;
      this.controller.abort(new DOMException(`No answer within ${milliseconds} ms`, 'TimeoutError'));
    }, bounded(milliseconds));
    try {
      return await wait();
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.caller?.removeEventListener('abort', this.end);
    this.controller.abort();
  }
}
