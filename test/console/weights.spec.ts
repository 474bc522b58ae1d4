import { formatWeight, weightFault, weightFaults, weightOf, weightText } from '../../console/src/model/weights.js';
import { setRegion, type WeightUnit } from '../../console/src/texts/region.js';

const MAX_POUNDS = 1_000_000;

afterAll(() => setRegion({ locale: undefined, weightUnit: 'lb' }));

test.each<[WeightUnit, string]>([
  ['lb', 'en-US'],
  ['kg', 'en-US'],
  ['kg', 'de-DE'],
])('every weight in an input means the same pounds, in %s and %s', (weightUnit, locale) => {
  setRegion({ locale, weightUnit });
  const changed: number[] = [];
  // All that are likely, and some of each larger size.
  for (let pounds = 1; pounds <= MAX_POUNDS; pounds += pounds < 20_000 ? 1 : 97) {
    if (weightOf(weightText(pounds)) !== pounds) changed.push(pounds);
  }
  expect(changed).toEqual([]);
});

test('a weight is shown in the unit and with the separators of the user', () => {
  setRegion({ locale: 'en-US', weightUnit: 'lb' });
  expect(formatWeight(4501)).toBe('4,501 lb');
  setRegion({ locale: 'en-US', weightUnit: 'kg' });
  expect(formatWeight(4501)).toBe('2,041.6 kg');
  setRegion({ locale: 'de-DE', weightUnit: 'kg' });
  expect(formatWeight(4501)).toBe('2.041,6 kg');
});

test('typed kilograms become the nearest whole pounds', () => {
  setRegion({ locale: 'de-DE', weightUnit: 'kg' });
  expect(['2042', '2042,0', '2042.0', '0,4', ''].map(weightOf)).toEqual([4502, 4502, 4502, 1, null]);
});

describe.each<[string, string, string]>([
  ['en-US', ',', '.'],
  ['de-DE', '.', ','],
])('in a page of %s', (locale, group, decimal) => {
  const inPage = (text: string) => text.replaceAll('G', group).replaceAll('D', decimal);
  const read = (unit: WeightUnit, texts: readonly string[]) => {
    setRegion({ locale, weightUnit: unit });
    return texts.map((text) => weightOf(inPage(text)));
  };

  test('separators mean what they mean there, or what alone they can mean', () => {
    expect(
      read('lb', ['4G200', '1G234G567', '1D234D567', '4 200', "4'200", '4\u202f200', '４２００', ' 4200 ']),
    ).toEqual([...[4200, 1_234_567, 1_234_567, 4200, 4200, 4200, 4200, 4200]]);
    expect(read('kg', ['1G905D5', '1D905G5', '1905D5', '1905G5', '0G123', '1234G567D5'])).toEqual([
      ...[4201, 4201, 4201, 4201, '0G123', '1234G567D5'].map((each) =>
        typeof each === 'string' ? inPage(each) : each,
      ),
    ]);
  });

  test('a unit that was typed is the one that counts', () => {
    expect(read('lb', ['1D905G5 kg', '4G200 lb', '4200lbs', '1905 Kg', '4200 stone'])).toEqual([
      ...[4201, 4200, 4200, 4200, '4200 stone'],
    ]);
    expect(read('kg', ['4200 lb', '4G200 lbs.'])).toEqual([4200, 4200]);
  });

  test('what could mean a thousandth as well is refused in words that name both', () => {
    const texts = ['4D200', '12D345', '999D000'];
    for (const unit of ['lb', 'kg'] as const) {
      expect(read(unit, texts)).toEqual(texts.map(inPage));
      expect(weightFault(inPage('4D200'))).toContain(`${inPage('4D2')} or ${inPage('4G200')}`);
    }
  });

  test('what is no weight is refused in words', () => {
    for (const text of ['12x', '5D', 'D5', '1G2G3', '-5', '1e3', '4G2000', 'NaN', '1'.repeat(16)]) {
      expect([text, ...read('kg', [text])]).toEqual([text, inPage(text)]);
      expect(weightFault(inPage(text))).toBe('Type a number, such as 4200.');
    }
    expect(read('lb', ['4200D5', '4200D0'])).toEqual([inPage('4200D5'), 4200]);
    expect(weightFault(inPage('4200D5'))).toBe('Type whole pounds.');
  });
});

test('a field whose text is no weight is marked before anything is sent', () => {
  setRegion({ locale: 'en-US', weightUnit: 'lb' });
  const values = { estimatedWeight: '4.200', actualWeight: 4200, customerRemarks: '4.200' };
  expect(weightFaults(values)).toEqual({ estimatedWeight: expect.stringContaining('4.2 or 4,200') });
});
