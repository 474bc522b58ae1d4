import { t } from '../texts/texts.js';
import { useStore } from '../use-store.js';
import { areKept } from './kept-change.js';

/** Shown with an unfinished change that a reload would forget. */
export function NotKept() {
  return useStore(areKept) ? null : <p>{t.bulkEdit.cannotKeep}</p>;
}
