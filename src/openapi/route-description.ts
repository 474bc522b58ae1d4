import { fieldsOf } from '../validation/fields-of.js';
import { readsRecord, type DescribedRoute } from './described-route.js';
import { isList } from './operation.js';

/** Sentences that apply to every route of a kind. */
const FORMS: readonly (readonly [applies: (route: DescribedRoute) => boolean, sentence: string])[] = [
  [({ text }) => isList(text), 'Newest first, in pages. A `Link` header points to the next page, if any.'],
  [
    ({ query }) => fieldsOf(query).some(({ name }) => name === 'sort'),
    '`sort` or a range over a field changes the order.',
  ],
  [
    ({ text }) => text.files !== undefined,
    'With `Accept: text/csv` or `Accept: application/jsonl`, the response is a file with the whole list from one snapshot. It supports all filters and `sort`, but not `limit`, `cursor` or `expand`.',
  ],
  [({ text }) => text.history === true, 'Remains readable after the record is deleted.'],
  [readsRecord, 'Send the `eTag` of the response in `If-Match` to change the record.'],
  [({ body }) => body?.use === 'Patch', 'Only the fields that you send change.'],
  [({ method }) => method === 'PUT', 'The body is the complete record: omitted optional fields become null.'],
  [({ method }) => method === 'DELETE', 'Its history is kept.'],
  [({ ifMatch }) => ifMatch === 'required', '`If-Match` must name the version that you read.'],
];

/** The description of the route, followed by the sentences of its kind. */
export function descriptionOf(route: DescribedRoute): string {
  const sentences = FORMS.filter(([applies]) => applies(route)).map(([, sentence]) => sentence);
  const own = route.text.description;
  return [...(own === undefined ? [] : [own]), ...sentences].join(' ');
}
