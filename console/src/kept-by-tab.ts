import { KeptByTab } from './model/kept-by-tab.js';
import { browserStorage } from './storage.js';
import { otherTabs, ownTab } from './tab.js';

export const keptByTab = new KeptByTab(browserStorage, { own: ownTab, others: otherTabs.get });
