import type { Page } from '@waybill/client';
import { searchBehind } from '../model/rows.js';
import { t } from '../texts/texts.js';
import text from './text.module.css';

/** Shown above a search that lacks the newest changes. */
export function SearchBehind({ pages }: { readonly pages: readonly Page<unknown>[] | undefined }) {
  const count = searchBehind(pages);
  return (
    <div role="status">{count === undefined ? null : <p className={text.empty}>{t.list.searchBehind(count)}</p>}</div>
  );
}
