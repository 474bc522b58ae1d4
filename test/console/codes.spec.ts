import { MOVE_CODE, SHIPMENT_CODE, UUID } from '../../console/src/model/codes.js';

const kindOf = (name: string) =>
  [UUID, MOVE_CODE, SHIPMENT_CODE]
    .map((pattern) => pattern.test(name))
    .map((is) => (is ? 'x' : '.'))
    .join('');

test.each([
  ['JQPST9', '.x.'],
  ['jqpst9', '.x.'],
  ['JQPST9-02', '..x'],
  ['jqpst9-02', '..x'],
  ['JQPST9-1234567890', '..x'],
  ['0198c2a4-5e5e-7a00-8000-00000000000F', 'x..'],
  // These are searched for.
  ['ST9-02', '...'],
  ['JQPST9-2', '...'],
  ['JQPST1-02', '...'],
  ['JQPST9-12345678901', '...'],
])('%s is recognized in a URL as it is by the service', (name, kinds) => {
  expect(kindOf(name)).toBe(kinds);
});
