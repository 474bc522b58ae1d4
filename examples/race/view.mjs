const WIDTH = 40;
const GREEN = '\x1b[32m';
const RED = '\x1b[31m';
const PLAIN = '\x1b[0m';

/** Shows one lane after the other: as a progress bar in a terminal, otherwise as one line at the end. */
export class View {
  constructor(output, headline) {
    this.output = output;
    output.write(`${headline}\n\n`);
  }

  lane(title, explanation, score) {
    const began = performance.now();
    this.output.write(`${title}: ${explanation}\n`);
    const line = () => lineOf(score, (performance.now() - began) / 1000, this.output.isTTY);
    return {
      show: () => this.output.isTTY && this.output.write(`\r\x1b[K${line()}`),
      end: () => this.output.write(`${this.output.isTTY ? '\r\x1b[K' : ''}${line()}\n${verdictOf(score)}\n\n`),
    };
  }
}

function lineOf({ told, refused, kept, wanted }, seconds, isTTY) {
  const [green, red, plain] = isTTY ? [GREEN, RED, PLAIN] : ['', '', ''];
  const cells = (count) => Math.round((count / wanted) * WIDTH);
  const full = cells(kept);
  const lost = Math.max(0, cells(told + refused) - full);
  const bar = `${green}${'█'.repeat(full)}${red}${'░'.repeat(lost)}${plain}${' '.repeat(WIDTH - full - lost)}`;
  return `  [${bar}] ${kept} of ${wanted} stored, ${seconds.toFixed(1)} s`;
}

function verdictOf({ told, refused, kept, wanted }) {
  if (kept === wanted) return '  Nothing is lost.';
  const overwritten = told - kept;
  const reasons = [
    ...(refused > 0 ? [`${refused} were refused with 412`] : []),
    ...(overwritten > 0
      ? [`${overwritten} were accepted and then overwritten by a client that had not seen them`]
      : []),
  ];
  return `  ${wanted - kept} are lost: ${reasons.join(', ')}.`;
}
