import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { Sequencer } from '../events/sequencer.js';
import { BackgroundLoop } from '../operations/background-loop.js';
import { DeliveryQueue } from './delivery-queue.js';
import { LOOK } from './queue-sql.js';

/** Finds events that another replica has numbered. */
const LOOK_EVERY_MS = 500;

interface Look {
  readonly isBehind: boolean;
  readonly isResuming: boolean;
  readonly hasEndedKey: boolean;
}

/**
 * Turns events into deliveries, makes deliveries due again of webhooks that were enabled, and disables the webhooks of ended API keys. A long
 * backlog takes many steps. They take turns with the calls, which need the same locks: after each step there is a pause as long as the step.
 */
@Injectable()
export class FanOut extends BackgroundLoop {
  constructor(
    @Inject(CONFIG) { WEBHOOKS }: Config,
    private readonly connection: BackgroundConnection,
    private readonly queue: DeliveryQueue,
    sequencer: Sequencer,
  ) {
    super('Webhooks', 'Creating deliveries', LOOK_EVERY_MS);
    this.isStopped = WEBHOOKS === 'off';
    sequencer.followers.push(this);
  }

  protected override async round(): Promise<number> {
    // Not of the request pool, whose connections would never be idle: a smart shutdown of PostgreSQL waits until they are closed.
    const [work] = await this.connection.query<Look>(LOOK);
    const began = performance.now();
    const hasDisabled = work?.hasEndedKey === true && (await this.queue.disableOfEndedKey());
    const hasResumed = work?.isResuming === true && (await this.queue.resume());
    const hasNew = work?.isBehind === true && (await this.queue.fanOut());
    if (hasResumed || hasNew) this.wakeFollowers();
    return hasDisabled || hasResumed || hasNew ? performance.now() - began : LOOK_EVERY_MS;
  }
}
