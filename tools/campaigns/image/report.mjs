// Each check prints ok or FAIL; the exit status is 1 after a failure.
export class Report {
  failures = [];
  figures = {};
  count = 0;

  section(title) {
    process.stdout.write(`\n== ${title}\n`);
  }

  /** With the figures that it names. */
  note(text, figures) {
    Object.assign(this.figures, figures);
    process.stdout.write(`      ${text}\n`);
  }

  /** `found` is compared with a value, or with a regular expression or a function that accepts it. */
  check(what, found, expected) {
    this.count += 1;
    const accepts =
      typeof expected === 'function'
        ? expected
        : expected instanceof RegExp
          ? (text) => expected.test(String(text))
          : (value) => JSON.stringify(value) === JSON.stringify(expected);
    const shown = typeof found === 'string' ? found.trim() : JSON.stringify(found);
    if (accepts(found)) {
      process.stdout.write(`ok    ${what}: ${shorten(shown)}\n`);
      return;
    }
    this.failures.push(what);
    const wanted =
      typeof expected === 'function'
        ? ''
        : `, expected ${expected instanceof RegExp ? expected : JSON.stringify(expected)}`;
    process.stdout.write(`FAIL  ${what}: ${shown}${wanted}\n`);
  }
}

function shorten(text) {
  const line = text.replaceAll('\n', ' | ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
