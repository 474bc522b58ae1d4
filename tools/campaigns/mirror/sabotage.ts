import type { Fetch } from './two-replicas.js';

/** A deliberate fault that the campaign must notice: every nth event of a stream is dropped. */
const ONE_IN = 100;

/** Of which requests. */
export const SABOTAGES: Readonly<Record<string, (url: string) => boolean>> = {
  /** Of streams that are filtered, as those of mirrors are. */
  'drop-from-mirrors': (url: string) => url.includes('/events/stream') && url.includes('resource='),
  /** Of streams that are not. */
  'drop-from-reader': (url: string) => url.includes('/events/stream') && !url.includes('resource='),
};

export function sabotaged(send: Fetch, isSpoiled: (url: string) => boolean): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (!isSpoiled(url) || response.body === null) return response;
    const { status, headers } = response;
    return new Response(
      response.body.pipeThrough(new TextDecoderStream()).pipeThrough(dropping()).pipeThrough(new TextEncoderStream()),
      { status, headers },
    );
  };
}

function dropping(): TransformStream<string, string> {
  let rest = '';
  let events = 0;
  return new TransformStream({
    transform(text, controller) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const isDropped = block.includes('data:') && (events += 1) % ONE_IN === 0;
        if (!isDropped) controller.enqueue(`${block}\n\n`);
      }
    },
  });
}
