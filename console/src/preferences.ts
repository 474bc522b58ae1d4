import { browserStorage } from './storage.js';
import { Store } from './store.js';
import { en } from './texts/en.js';
import { setRegion, type WeightUnit } from './texts/region.js';
import { setTexts, type Texts } from './texts/texts.js';

export type Language = 'en' | 'de';

/** Each in its own language. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export interface Preferences {
  readonly language: Language;
  readonly weightUnit: WeightUnit;
}

const KEY = 'waybill.preferences';

/** The user's choices. Kept in this browser. */
export const preferences = new Store<Preferences>({ language: 'en', weightUnit: 'lb' });

/** The preferences of the last visit; at first, the language of the browser. */
export async function startPreferences(): Promise<void> {
  // A language that cannot be loaded must not keep the console from starting, in English.
  await apply({
    language: languageOfBrowser(),
    weightUnit: 'lb',
    ...browserStorage.readJson<Partial<Preferences>>(KEY),
  }).catch(() => undefined);
}

export async function setPreferences(next: Preferences): Promise<void> {
  browserStorage.writeJson(KEY, next);
  await apply(next);
}

async function apply(next: Preferences): Promise<void> {
  const { language, weightUnit } = next;
  setTexts(await textsOf(language));
  setRegion({ locale: navigator.languages.find((each) => isOf(each, language)) ?? language, weightUnit });
  document.documentElement.lang = language;
  preferences.set(next);
}

/** English is part of the application; other languages are loaded when they are chosen. */
async function textsOf(language: Language): Promise<Texts> {
  return language === 'de' ? (await import('./texts/de.js')).de : en;
}

function languageOfBrowser(): Language {
  const known = Object.keys(LANGUAGES) as Language[];
  return navigator.languages.flatMap((each) => known.find((language) => isOf(each, language)) ?? [])[0] ?? 'en';
}

function isOf(locale: string, language: Language): boolean {
  return locale === language || locale.startsWith(`${language}-`);
}
