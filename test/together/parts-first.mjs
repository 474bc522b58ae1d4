import Sequencer from '@jest/test-sequencer';

/**
 * The parts take longest by far, and Jest, which without a memory of earlier runs begins with the largest files, would begin with them
 * last: then all but one worker would have nothing to do at the end.
 */
export default class PartsFirst extends Sequencer {
  sort(tests) {
    const isPart = ({ path }) => path.includes('/test/together/');
    return super.sort(tests).sort((one, other) => Number(isPart(other)) - Number(isPart(one)));
  }
}
