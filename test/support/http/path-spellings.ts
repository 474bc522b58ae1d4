/** Spellings of a path that some server could normalize to the path itself. */
export function spellingsOf(path: string): string[] {
  const encoded = (at: number) => `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`;
  const suffixes = [
    '',
    '/',
    '//',
    '?',
    '?x',
    '?x=/',
    '/?x',
    ';x',
    ';x=1',
    '.',
    '.json',
    '%20',
    '%00',
    '%2f',
    '/.',
    '/x/..',
    '/%2e',
    '#',
    '#x',
  ];
  const prefixes = [
    '/',
    '/.',
    '/x/..',
    '/x/%2e%2e',
    '/%2e',
    '/%2f',
    '\\',
    '/v1/..',
    '/;',
    'http://example.com',
    'HTTP://example.com',
    'https://example.com',
    'http://example.com/',
    'http://',
    'http://xn--a',
    'http://a@b',
    'http://example.com#',
    'http://example.com?',
    'http://example.com\\',
    '//example.com',
  ];
  return [
    ...suffixes.map((suffix) => path + suffix),
    ...prefixes.map((prefix) => prefix + path),
    ...prefixes.map((prefix) => `${prefix}${path}/`),
    ...Array.from(path, (_, at) => encoded(at)),
    ...Array.from(path, (_, at) => encoded(at).replace(/%[0-9a-f]+/, (code) => code.replace('%', '%25'))),
    path.toUpperCase(),
    path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    path.replaceAll('/', '//'),
    path.replaceAll('/', '\\'),
    path.slice(1),
  ];
}

/** Whether a response contains data for operators only: metrics or health. */
export function showsOperations(answer: string): boolean {
  return /process_cpu_seconds_total|"status":"ok"/.test(answer);
}
