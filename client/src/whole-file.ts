import { NoAnswerError } from './errors.js';
import type { Connection } from './connection.js';

/** The response with a file, whose connection is open. */
export interface OpenFile {
  /** Its media type. */
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly connection: Connection;
}

const LINE_FEED = 10;

/** A file of lines, as a stream that fails if it is interrupted or ends in the middle of a line. */
export function wholeFile(
  { path, signal }: { readonly path: string; readonly signal?: AbortSignal | undefined },
  { type, body, connection }: OpenFile,
  silenceMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  // An empty list has no lines in JSON Lines, but a header in CSV.
  let last = type === 'text/csv' ? 0 : LINE_FEED;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await connection.within(silenceMs, () => reader.read());
        if (!done) {
          last = value.at(-1) ?? last;
          controller.enqueue(value);
          return;
        }
        if (last !== LINE_FEED) throw new Error('The file ends in the middle of a line');
        controller.close();
      } catch (cause) {
        const interrupted = new NoAnswerError(`The response to GET ${path} was interrupted`, undefined, { cause });
        controller.error(signal?.aborted === true ? signal.reason : interrupted);
      }
      connection.close();
    },
    async cancel(reason) {
      connection.close();
      await reader.cancel(reason).catch(() => undefined);
    },
  });
}
