import { countDrafts, discardDrafts } from '../../console/src/model/drafts-of-user.js';
import { KeptTexts } from '../../console/src/model/kept-texts.js';

test.each([
  ['john', 'john.agent'],
  ['ann', 'ann@example.com'],
])('%s discards only own drafts, not those of %s', (subject, another) => {
  // What the browser refuses is remembered.
  const texts = new KeptTexts(() => {
    throw new Error('SecurityError');
  });
  const keys = (person: string) => [
    `waybill.draft.${person}.shipment.1f0e@tab`,
    `waybill.draft.${person}.agent.new-1f0e@tab`,
    `waybill.creation.${person}.new@tab`,
    `waybill.many.${person}.changes@tab`,
    `waybill.deleted.${person}.last`,
  ];
  for (const key of [...keys(subject), ...keys(another)]) texts.write(key, '{}');
  expect(countDrafts(texts, subject)).toBe(3);
  discardDrafts(texts, subject);
  expect(texts.keys().sort()).toEqual(keys(another).sort());
  discardDrafts(texts, another);
  expect(texts.keys()).toEqual([]);
});
