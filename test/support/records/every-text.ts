import { hasForbiddenCharacter, isBlank, type TextKind } from '../../../src/validation/characters.js';

const BEGINNINGS = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  '\t',
  '\r',
  "'",
  "''",
  "'s-Hertogenbosch",
  "'=",
  "'＝",
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r\n',
  ' ',
  '0',
  '00',
  '+0',
  '1e5',
  '1-2',
  '=1+1',
  'TRUE',
  '#N/A',
  '\uFEFF',
];
/** As many as most fields take. */
const PIECE = 200;

interface Texts {
  readonly short: readonly string[];
  readonly long: readonly string[];
}

/** Texts that together contain every allowed character of the basic plane, some beyond it, and values that spreadsheets change. */
export function everyText(): Texts {
  return { short: textsOf('short'), long: textsOf('long') };
}

function textsOf(kind: TextKind): string[] {
  const isAllowed = (text: string) => !hasForbiddenCharacter(text, kind);
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(isAllowed);
  characters.push('😀', '👩‍👧', '𝒳', '🏳️‍🌈', '\u{10FFFD}');
  const texts = BEGINNINGS.flatMap((beginning) => [beginning, `${beginning}x`, `x${beginning}`, `${beginning}"x",\n;`]);
  for (let at = 0; at < characters.length; at += PIECE) texts.push(characters.slice(at, at + PIECE).join(''));
  return texts.filter((text) => isAllowed(text) && (kind === 'long' || !isBlank(text)));
}

/** Bodies of new shipments that together contain all these texts, if there are enough of them. */
export function shipmentsOf({ short, long }: Texts, count: number): object[] {
  const at = (texts: readonly string[], index: number, longest: number) => {
    return [...(texts[index % texts.length] ?? '')].slice(0, longest).join('');
  };
  return Array.from({ length: count }, (_, index) => ({
    shipmentType: inked(at(short, index, 60)),
    customerRemarks: index % 50 === 0 ? null : at(long, index, 2000),
    pickupDate: index % 3 === 0 ? '2026-03-01' : null,
    estimatedWeight: index % 2 === 0 ? 1 + index : null,
    ...(index % 5 !== 0 && {
      destinationAddress: {
        streetAddress1: inked(at(short, index, 200)),
        streetAddress2: index % 7 === 0 ? null : inked(at(short, index + 1, 200)),
        city: inked(at(short, index + 2, 90)),
        state: inked(at(short, index + 3, 60)),
        postalCode: String(index).padStart(5, '0'),
      },
    }),
  }));
}

/** A short text must not be blank. */
function inked(text: string): string {
  return isBlank(text) ? `${text}.` : text;
}
