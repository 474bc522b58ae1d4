/** Countries whose postal codes are digits and may begin with zeros: how many digits, and the language of the country's own name. */
const COUNTRIES = {
  US: [5, 'en'],
  AU: [4, 'en'],
  DE: [5, 'de'],
  EE: [5, 'et'],
  ES: [5, 'es'],
  FI: [5, 'fi'],
  FR: [5, 'fr'],
  HR: [5, 'hr'],
  IT: [5, 'it'],
  KR: [5, 'ko'],
  LT: [5, 'lt'],
  MX: [5, 'es'],
  MY: [5, 'ms'],
  NO: [4, 'nb'],
  NZ: [4, 'en'],
  PR: [5, 'es'],
  TR: [5, 'tr'],
  UA: [5, 'uk'],
  ZA: [4, 'en'],
} as const;

type Country = keyof typeof COUNTRIES;

const nameIn = (language: string, country: string) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country;

/** What people write for a country: its code, its name in English and its own name. */
const BY_NAME: ReadonlyMap<string, Country> = new Map([
  ...Object.entries(COUNTRIES).flatMap(([code, [, language]]) => {
    return [code, nameIn('en', code), nameIn(language, code)].map(
      (name) => [name.toLowerCase(), code as Country] as const,
    );
  }),
  ['usa', 'US'],
  ['united states of america', 'US'],
]);

/** Why a postal code is probably wrong, because it lacks digits; undefined if it may be right. Without a country, it is one of the US. */
export function shortPostalCode(postalCode: string, country: string | null): string | undefined {
  const code = country === null ? 'US' : BY_NAME.get(country.trim().toLowerCase());
  if (code === undefined || !/^\d+$/.test(postalCode)) return undefined;
  const [digits] = COUNTRIES[code];
  if (postalCode.length >= digits) return undefined;
  return `has fewer than the ${digits} digits of postal codes in ${nameIn('en', code)}: a spreadsheet may have removed zeros`;
}
