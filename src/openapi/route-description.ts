import { fieldsOf } from '../validation/fields-of.js';
import { needsIfMatch, readsRecord, type DescribedRoute } from './described-route.js';
import { isList } from './operation.js';

/** What is true of every route of a form, so that no route has to say it of itself. */
const FORMS: readonly (readonly [applies: (route: DescribedRoute) => boolean, sentence: string])[] = [
  [
    ({ text }) => isList(text),
    'Newest first, a page at a time. While there is more, a `Link` header leads to the next page.',
  ],
  [
    ({ query }) => fieldsOf(query).some(({ name }) => name === 'sort'),
    '`sort`, or a range over a field, asks for another order.',
  ],
  [
    ({ text }) => text.files !== undefined,
    'With `Accept: text/csv` or `Accept: application/jsonl` the answer is a file with the whole list, from one snapshot. It takes all filters and `sort`, but neither `limit`, `cursor` nor `expand`.',
  ],
  [({ text }) => text.history === true, 'Stays readable after the record is deleted.'],
  [readsRecord, 'The `eTag` of the answer is what a later change names in `If-Match`.'],
  [({ body }) => body?.use === 'Patch', 'Only the fields that you send change.'],
  [
    ({ method }) => method === 'PUT',
    'The body is the complete record: an optional field that you leave out becomes null.',
  ],
  [({ method }) => method === 'DELETE', 'Its history stays.'],
  [needsIfMatch, '`If-Match` must name the version that you read.'],
];

/** The words of the route, and those of its form. */
export function descriptionOf(route: DescribedRoute): string {
  const sentences = FORMS.filter(([applies]) => applies(route)).map(([, sentence]) => sentence);
  const own = route.text.description;
  return [...(own === undefined ? [] : [own]), ...sentences].join(' ');
}
