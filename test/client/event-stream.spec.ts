import { EventStreamParser, type ServerSentEvent } from '../../client/src/event-stream.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function read(text: string): ServerSentEvent[] {
  return new EventStreamParser().push(bytes(text));
}

const dataOf = (text: string) => read(text).map(({ data }) => data);

describe('the examples of the HTML standard', () => {
  it('one event of one line, another of two, a third of another', () => {
    expect(dataOf('data: This is the first message.\n\n')).toEqual(['This is the first message.']);
    expect(dataOf('data: This is the second message, it\ndata: has two lines.\n\n')).toEqual([
      'This is the second message, it\nhas two lines.',
    ]);
  });

  it('types are told by event', () => {
    const text = 'event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\ndata: 113411\n\n';
    expect(read(text).map(({ type, data }) => `${type} ${data ?? ''}`)).toEqual([
      'add 73857293',
      'remove 2153',
      'message 113411',
    ]);
  });

  it('a comment, an event with an id, one that clears the id, and a space that belongs to the data', () => {
    const text = ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n';
    expect(read(text)).toEqual([
      { type: 'message', data: 'first event', id: '1' },
      { type: 'message', data: 'second event', id: '' },
      { type: 'message', data: ' third event', id: '' },
    ]);
  });

  it('a block with an empty data field is an event; one that the stream ends in is not', () => {
    expect(dataOf('data\n\ndata\ndata\n\ndata:')).toEqual(['', '\n']);
  });

  it('the space after the colon is left out', () => {
    expect(dataOf('data:test\n\ndata: test\n\n')).toEqual(['test', 'test']);
  });
});

describe('lines', () => {
  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('end with %s', (_, end) => {
    expect(read(['id: 7', 'data: a', 'data: b', '', 'data: c', '', ''].join(end))).toEqual([
      { type: 'message', data: 'a\nb', id: '7' },
      { type: 'message', data: 'c', id: '7' },
    ]);
  });

  it('that begin with a colon are comments', () => {
    expect(read(':\n: still here\n\n:\n\n')).toEqual([]);
  });

  it('of unknown fields are ignored, and so are a retry that is no number and an id with U+0000', () => {
    const parser = new EventStreamParser();
    const text = 'id: 1\nDATA: x\nwhatever\nretry: 1s\nid: 2\0\n data: x\ndata: y\n\n';
    expect(parser.push(bytes(text))).toEqual([{ type: 'message', data: 'y', id: '1' }]);
    expect(parser.retryMs).toBeUndefined();
    parser.push(bytes('retry: 1500\n'));
    expect(parser.retryMs).toBe(1500);
  });

  it('may follow a byte order mark', () => {
    expect(dataOf('\ufeffdata: a\n\n')).toEqual(['a']);
  });
});

describe('an id alone', () => {
  it('is given out without data, and stays the id of the events after it', () => {
    expect(read('id: 5\n\ndata: x\n\n')).toEqual([
      { type: 'message', data: undefined, id: '5' },
      { type: 'message', data: 'x', id: '5' },
    ]);
  });

  it('is not repeated by comments and empty lines', () => {
    expect(read('id: 5\n\n\n: beat\n\n\n')).toHaveLength(1);
  });
});

describe('chunks', () => {
  const TEXT =
    '\ufeff: hi\r\rid: 1\r\ndata: Grüße 🚚\r\ndata\r\n\r\nid: 2\n\nretry: 9\rdata: x\r\rdata: y\r\n\r\n: end\n\n';

  it('may end anywhere, also inside a character and between CR and LF', () => {
    const whole = read(TEXT);
    expect(whole.map(({ data }) => data)).toEqual(['Grüße 🚚\n', undefined, 'x', 'y']);
    const all = bytes(TEXT);
    for (let first = 0; first <= all.length; first += 1) {
      for (let second = first; second <= all.length; second += 1) {
        const parser = new EventStreamParser();
        const chunks = [all.slice(0, first), all.slice(first, second), all.slice(second)];
        expect(chunks.flatMap((chunk) => parser.push(chunk))).toEqual(whole);
      }
    }
  });

  it('may be single bytes', () => {
    const parser = new EventStreamParser();
    expect([...bytes(TEXT)].flatMap((byte) => parser.push(Uint8Array.of(byte)))).toEqual(read(TEXT));
  });

  it('give out an event as soon as it has ended', () => {
    const parser = new EventStreamParser();
    expect(parser.push(bytes('data: a\n'))).toEqual([]);
    expect(parser.push(bytes('\n'))).toHaveLength(1);
    expect(parser.push(bytes('data: b\r'))).toEqual([]);
    expect(parser.push(bytes('\r'))).toHaveLength(1);
  });
});
