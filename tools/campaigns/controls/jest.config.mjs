import base from '../../../jest.config.mjs';

/** The suite on sources with one fault in them (see main.ts). The files themselves stay as they are. */
export default {
  ...base,
  rootDir: '../../..',
  transform: { '^.+\\.(ts|js|mjs)$': '<rootDir>/tools/campaigns/controls/transform.mjs' },
};
