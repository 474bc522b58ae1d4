import type { Fault } from './fault.js';

/** Forms of the console: what they keep, and when they repeat an attempt. */
export const FORM_FAULTS: readonly Fault[] = [
  {
    about: 'a form repeats a creation under a key that the service has forgotten',
    file: 'console/src/model/edit.ts',
    find: '!isCreated && isForgotten(draft.sent.at, now)',
    replace: '!isCreated && now < 0',
    specs: ['test/console/forgotten-keys.spec.ts'],
  },
  {
    about: 'a key of an unknown age counts as remembered',
    file: 'console/src/model/keys.ts',
    find: 'at === undefined ||',
    replace: 'at !== undefined &&',
    specs: ['test/console/forgotten-keys.spec.ts'],
  },
  {
    about: 'a full storage of the browser fails who writes to it',
    file: 'console/src/model/kept-texts.ts',
    find: `    } catch {
      return undefined;
    }
  }
}`,
    replace: `    } catch (error) {
      throw error;
    }
  }
}`,
    specs: ['test/console/storage.spec.ts'],
  },
  {
    about: 'a listener that fails stops the next one',
    file: 'console/src/store.ts',
    find: 'safely(...this.listeners);',
    replace: 'for (const listener of this.listeners) listener();',
    specs: ['test/console/storage.spec.ts'],
  },
  {
    about: 'a tab takes the draft of another open tab',
    file: 'console/src/model/kept-by-tab.ts',
    find: '.filter(({ tab }) => !this.tabs.others().has(tab));',
    replace: ';',
    specs: ['test/console/kept-by-tab.spec.ts'],
  },
  {
    about: 'a person takes over what another one keeps whose name begins alike',
    file: 'console/src/model/kept-by-tab.ts',
    find: " && !key.includes('@', name.length + 1);",
    replace: ';',
    specs: ['test/console/kept-by-tab.spec.ts'],
  },
  {
    about: 'a reload brings back an older text of what did not fit into the storage',
    file: 'console/src/model/kept-texts.ts',
    find: `    this.remove(key);
    this.unkept.set(key, text);`,
    replace: `    this.unkept.set(key, text);`,
    specs: ['test/console/storage.spec.ts'],
  },
  {
    about: 'a tab mixes what two closed tabs left',
    file: 'console/src/model/kept-by-tab.ts',
    find: '.find(({ tab }) => tab === latest.tab);',
    replace: '[0];',
    specs: ['test/console/kept-by-tab.spec.ts'],
  },
  {
    about: 'the timeline offers to undo a status that has no way back',
    file: 'console/src/model/undoable.ts',
    find: 'changes.length === 1 && hasWayBack(',
    replace: 'changes.length === 1 || hasWayBack(',
    specs: ['test/console/undoable.spec.ts'],
  },
  {
    about: 'the timeline offers to undo what later changes have replaced',
    file: 'console/src/model/undoable.ts',
    find: '(changes.every(({ field }) => isReplaced(field)))',
    replace: '(changes.length === 0)',
    specs: ['test/console/undoable.spec.ts'],
  },
  {
    about: 'the timeline offers to undo a change of a record that is deleted',
    file: 'console/src/model/undoable.ts',
    find: " || later[0]?.type === 'deleted'",
    replace: '',
    specs: ['test/console/undoable.spec.ts'],
  },
  {
    about: 'a discarded draft comes back on a version that it was not based on',
    file: 'console/src/model/edit.ts',
    find: 'return begin(action.draft);',
    replace: 'return begin({ ...action.draft, base: state.draft.base });',
    specs: ['test/console/edit.spec.ts'],
  },
  {
    about: 'a discarded draft forgets the attempt that may have been saved',
    file: 'console/src/model/edit.ts',
    find: 'return begin(action.draft);',
    replace: 'return begin({ ...action.draft, sent: undefined });',
    specs: ['test/console/edit.spec.ts'],
  },
  {
    about: 'a weight with one separator is taken for thousands, whatever the language of the page',
    file: 'console/src/model/weights.ts',
    find: 'const isCertain = group !== decimal || digits.split(group).length > 2;',
    replace: 'const isCertain = true;',
    specs: ['test/console/weights.spec.ts'],
  },
  {
    about: 'the unit of a weight that was typed is ignored',
    file: 'console/src/model/weights.ts',
    find: 'UNITS[unit.toLowerCase()] ?? region.weightUnit',
    replace: 'region.weightUnit',
    specs: ['test/console/weights.spec.ts'],
  },
  {
    about: 'a decimal comma becomes a separator for thousands',
    file: 'console/src/model/weights.ts',
    find: 'separator === decimal || fraction.length < 3',
    replace: 'separator !== decimal',
    specs: ['test/console/weights.spec.ts'],
  },
  {
    about: 'a code in lower case is none',
    file: 'console/src/model/codes.ts',
    find: String.raw`/^[a-z2-9]{6}-\d{2,10}$/i`,
    replace: String.raw`/^[A-Z2-9]{6}-\d{2,10}$/`,
    specs: ['test/console/codes.spec.ts'],
  },
  {
    about: 'the loaded rows count as all that match',
    file: 'console/src/model/rows.ts',
    find: 'rows.pages.at(-1)?.next !== undefined',
    replace: 'rows.pages.length === 0',
    specs: ['test/console/matching.spec.ts'],
  },
  {
    about: 'deleted rows count as matching',
    file: 'console/src/model/rows.ts',
    find: '.filter(({ isDeleted }) => isDeleted !== true);',
    replace: ';',
    specs: ['test/console/matching.spec.ts'],
  },
  {
    about: 'a console whose code is missing is loaded anew again and again',
    file: 'console/src/model/reloads.ts',
    find: 'now - last >= MS_BETWEEN_RELOADS',
    replace: 'now >= last',
    specs: ['test/console/matching.spec.ts'],
  },
];
