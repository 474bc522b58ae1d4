const LAST_CHANGES = 8;
const WIDTH = 40;
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';
const CLEAR = '\x1b[H\x1b[J';

/** Redraws itself on every change in a terminal; otherwise writes one line per change. */
export class Board {
  constructor(output) {
    this.output = output;
    this.last = [];
    this.records = new Map();
  }

  show(records) {
    this.records = records;
    this.draw();
  }

  note(change) {
    this.last = [describe(change), ...this.last].slice(0, LAST_CHANGES);
    if (!this.output.isTTY) this.output.write(`${this.last[0]}\n`);
    this.draw();
  }

  draw() {
    if (this.output.isTTY) this.output.write(`${CLEAR}${this.counts()}\n\n${DIM}${this.last.join('\n')}${PLAIN}\n`);
  }

  end() {
    if (!this.output.isTTY) this.output.write(`${this.counts()}\n`);
  }

  counts() {
    const counts = new Map();
    for (const { status } of this.records.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    const most = Math.max(1, ...counts.values());
    const rows = [...counts].sort().map(([status, count]) => {
      return `${status.padEnd(24)}${String(count).padStart(6)} ${'█'.repeat(Math.ceil((count / most) * WIDTH))}`;
    });
    return [`${this.records.size} shipments`, ...rows].join('\n');
  }
}

function describe({ id, before, after, event }) {
  const what = event === undefined ? 'read again' : event.type.replace('shipment.', '');
  const status = [before?.status, after?.status ?? 'gone'].filter(Boolean).join(' -> ');
  return `${event?.time ?? ''} ${id.slice(-12)} ${what} by ${event?.data.changedBy ?? 'unknown'}: ${status}`;
}
