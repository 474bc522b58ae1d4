import { formatWeight, weightOf, weightText } from '../../console/src/model/weights.js';
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

test('text that could mean thousands is not guessed at, but left to the service to refuse', () => {
  setRegion({ locale: 'de-DE', weightUnit: 'kg' });
  expect(['2.042', '2,042', '1 000', '12x', '5,'].map(weightOf)).toEqual(['2.042', '2,042', '1 000', '12x', '5,']);
  setRegion({ locale: 'en-US', weightUnit: 'lb' });
  expect(['12.5', '2,042', '4500'].map(weightOf)).toEqual(['12.5', '2,042', 4500]);
});
