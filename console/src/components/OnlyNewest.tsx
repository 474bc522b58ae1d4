import { t } from '../texts/texts.js';
import text from './text.module.css';

/** Shown if the service embedded only some of the related records; `next` is the URL of the rest. */
export function OnlyNewest({ next }: { readonly next: string | null | undefined }) {
  return typeof next === 'string' ? <p className={text.empty}>{t.record.onlyNewest}</p> : null;
}
