/** One block of an event stream. */
export interface ServerSentEvent {
  /** `message` unless the server says otherwise. */
  readonly type: string;
  /** Undefined if the block only advances the id, which the standard does not treat as an event. */
  readonly data: string | undefined;
  /** The last id, from this block or an earlier one. */
  readonly id: string;
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * Parses `text/event-stream` (HTML standard, section 9.2.6) from chunks that may end anywhere. Also returns blocks that have only an id:
 * they advance the cursor when all events were filtered out.
 */
export class EventStreamParser {
  /** The reconnection time requested by the server. */
  retryMs: number | undefined;
  private readonly decoder = new TextDecoder();
  private unfinishedLine = '';
  private endedWithCarriageReturn = false;
  private id = '';
  private hasNewID = false;
  private type = '';
  private data: string[] = [];

  /** The blocks that end in this chunk. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    let text = this.decoder.decode(chunk, { stream: true });
    if (text === '') return [];
    if (this.endedWithCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    this.endedWithCarriageReturn = text.endsWith('\r');
    const lines = (this.unfinishedLine + text).split(LINE_END);
    this.unfinishedLine = lines.pop() ?? '';
    return lines.map((line) => this.readLine(line)).filter((event) => event !== undefined);
  }

  private readLine(line: string): ServerSentEvent | undefined {
    if (line === '') return this.endBlock();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.type = value;
    else if (field === 'retry' && /^[0-9]+$/.test(value)) this.retryMs = Number(value);
    else if (field === 'id' && !value.includes('\0')) {
      this.id = value;
      this.hasNewID = true;
    }
    return undefined;
  }

  private endBlock(): ServerSentEvent | undefined {
    const { id, hasNewID, type, data } = this;
    this.hasNewID = false;
    this.type = '';
    this.data = [];
    if (data.length === 0) return hasNewID ? { type: 'message', data: undefined, id } : undefined;
    return { type: type === '' ? 'message' : type, data: data.join('\n'), id };
  }
}
