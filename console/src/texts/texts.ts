import { en } from './en.js';

/** The texts of a language. The compiler checks that each language has all of them. */
export type Texts = typeof en;

/** The texts of the chosen language. Read them where they are shown, not when a module is loaded: the language can change. */
export let t: Texts = en;

export function setTexts(texts: Texts): void {
  t = texts;
}
