import { KeptTexts } from './model/kept-texts.js';

/** Shared by all tabs, and kept when they are closed. */
export const browserStorage = new KeptTexts(() => localStorage);
/** Belongs to this tab, and survives a reload. */
export const tabStorage = new KeptTexts(() => sessionStorage);

/** The beginning of the keys in it under which it keeps what the user discarded. */
export const DISCARDED = 'waybill.discarded.';
