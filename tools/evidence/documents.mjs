// Figures in documents. A block has a template in a comment, and below it what the template becomes with the evidence:
//
//   <!-- evidence soak
//   On {date}, at {commit}: {operations} operations, {get.p99 1} ms each; with {fuzz requests} other requests.
//   -->
//
//   On 2026-11-20, at 0123abcd: 1,000,079 operations, 1.3 ms each; with 104,193 other requests.
//
//   <!-- /evidence -->
//
// A place names a run, unless it means the one of the block, a figure, and the digits after the point. Date, commit, command, duration,
// machine, seed and versions of a run are named like figures. While evidence is missing, a block stays as it is; the cells of a table
// that has some say which have none.
const BLOCK = /(<!-- evidence(?: ([\w-]+))?\n([^]*?)\n-->\n)([^]*?)(<!-- \/evidence -->)/g;
const PLACE = /\{(?:([\w-]+) )?([^\s\d}][^\s}]*)(?: (\d))?\}/g;
const CODE = /^ *```[^]*?^ *```$/gm;

/** Texts that look as if somebody had measured something, and figures that could be the result. Limits and defaults look otherwise. */
const MEASURED =
  /\b(?:measure(?:d|ments?)|medians?|took|instead of|than before|busy (?:machine|cores)|quiet machine|CPU|at most \d+ MB under|p99|heap)\b|µs|\d\.\d+ (?:ms|s|[kMG]B|times)\b|20\d\d-\d\d-\d\d/;
const FIGURE =
  /\d[\d.,]* ?(?:%|(?:µs|ms|s|seconds|minutes|hours|[kMG]B|times|requests|writes|operations|faults|checks)\b)/;

/** The document with each block as its evidence says, and the names of the evidence that is missing. */
export function withFigures(document, evidenceOf) {
  const missing = new Set();
  const text = document.replace(BLOCK, (block, head, run, template, _, end) => {
    const names = placesIn(template, run).map(([name]) => name);
    const absent = names.filter((name) => evidenceOf(name) === undefined);
    for (const name of absent) missing.add(name);
    const open = (words) => placesIn(words, run).some(([name]) => absent.includes(name));
    const lines = template.split('\n');
    if (absent.length === names.length || lines.some((line) => !isRow(line) && open(line))) return block;
    const cellsOf = (line) => line.split('|').map((cell) => (open(cell) ? ' no result yet ' : cell));
    const known = lines.map((line) => (isRow(line) ? cellsOf(line).join('|') : line)).join('\n');
    const body = known.replace(PLACE, (_place, name = run, ...words) => shown(evidenceOf(name), ...words));
    return `${head}\n${body}\n\n${end}`;
  });
  return { text, missing: [...missing] };
}

/** The runs that a document names, and those of them whose date or commit it does not name. */
export function quoted(document) {
  const places = [...document.matchAll(BLOCK)].flatMap(([, , run, template]) => placesIn(template, run));
  const names = [...new Set(places.map(([name]) => name))];
  const isDated = (name) =>
    ['date', 'commit'].every((fact) => places.some(([run, figure]) => run === name && figure === fact));
  return { names, undated: names.filter((name) => !isDated(name)) };
}

/** Paragraphs, items and rows outside of blocks with figures that somebody seems to have measured, and the number of their line. */
export function claims(document) {
  const blank = (text) => text.replace(/[^\n]/g, '');
  const rest = document.replace(BLOCK, blank).replace(CODE, blank);
  const found = [];
  for (const { 0: text, index } of rest.matchAll(/^[^\n]+(?:\n(?! *[-|#\n])[^\n]+)*/gm)) {
    const line = rest.slice(0, index).split('\n').length;
    if (MEASURED.test(text) && FIGURE.test(text)) found.push({ line, text: text.replace(/\s+/g, ' ').trim() });
  }
  return found;
}

/** The same for two texts that differ only in how the formatter breaks lines and aligns columns. */
export function unformatted(text) {
  return text.replace(/-{3,}/g, '---').replace(/\s+/g, ' ');
}

function isRow(line) {
  return line.startsWith('|');
}

/** The run and the figure of each place. */
function placesIn(template, run) {
  return [...template.matchAll(PLACE)].map(([, name = run, figure]) => [name, figure]);
}

function shown(evidence, figure, digits) {
  const { commit = 'unknown', date, seconds, machine } = evidence;
  const facts = {
    ...{ command: evidence.command, seed: evidence.seed, date: date.slice(0, 10), commit: commit.slice(0, 8) },
    ...{ duration: durationOf(seconds), machine: `${machine.cores} cores of ${machine.model}, ${machine.system}` },
    ...evidence.versions,
    ...evidence.figures,
  };
  const value = facts[figure];
  if (value === undefined) throw new Error(`The evidence of ${evidence.name} has no "${figure}".`);
  if (typeof value === 'string' || figure === 'seed') return value;
  const fraction = digits === undefined ? { maximumFractionDigits: 2 } : fixed(digits);
  return value.toLocaleString('en-US', fraction);
}

function fixed(digits) {
  return { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) };
}

function durationOf(seconds) {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
}
