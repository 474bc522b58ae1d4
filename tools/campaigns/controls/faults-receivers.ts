import type { Fault } from './fault.js';

/** Faults in how receivers of webhooks are found and called. */
export const RECEIVER_FAULTS: readonly Fault[] = [
  {
    about: 'only the first address of a receiver is checked',
    file: 'src/deliveries/receiver-call.ts',
    find: 'found.some((address) =>',
    replace: 'found.slice(0, 1).some((address) =>',
    specs: ['test/deliveries/receiver-names.spec.ts', 'test/deliveries/forbidden-addresses.spec.ts'],
  },
  {
    about: 'a call tries every address that a receiver has',
    file: 'src/deliveries/receiver-call.ts',
    find: '      .slice(0, TRIED_OF_EACH_FAMILY)\n',
    replace: '',
    specs: ['test/deliveries/receiver-names.spec.ts'],
    only: 'four addresses',
  },
  {
    about: 'an error of any length is stored',
    file: 'src/deliveries/receiver-call.ts',
    find: 'error: textOf(Buffer.from(reason))',
    replace: 'error: reason',
    specs: ['test/deliveries/receiver-answers.spec.ts'],
    only: 'a kilobyte of an error',
  },
  {
    about: 'a receiver is resolved again after its addresses were checked',
    file: 'src/deliveries/receiver-call.ts',
    find: 'return { lookup, autoSelectFamily',
    replace: 'return { lookup: undefined, autoSelectFamily',
    specs: ['test/deliveries/receiver-names.spec.ts'],
  },
  {
    about: 'queries for the name of a receiver outlive its call',
    file: 'src/deliveries/receiver-names.ts',
    find: `    signal.addEventListener('abort', cancel);\n`,
    replace: '',
    specs: ['test/deliveries/receiver-names.spec.ts'],
    only: 'the query is canceled',
  },
];
