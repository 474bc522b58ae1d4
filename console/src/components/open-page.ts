import { navigate } from 'wouter/use-browser-location';
import { consolePath } from '../settings.js';
import { t } from '../texts/texts.js';

/** An action of a notice that opens a page. */
export function openPage(path: string): { readonly label: string; readonly act: () => void } {
  return { label: t.actions.open, act: () => navigate(`${consolePath}${path}`) };
}
