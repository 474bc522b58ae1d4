import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Statement } from '../database/statement.js';
import { describeCause } from '../problem/describe-cause.js';
import { EventsConnection } from './events-connection.js';
import { Sequencer } from './sequencer.js';

/** Finds events that another replica has numbered before it stopped. */
const LOOK_EVERY_MS = 1000;

const INDEX_WORDS: Statement = { name: 'search_index_words', text: 'SELECT index_words() AS indexed' };

/**
 * Keeps the search index up to date with the events. Every replica runs it; the one that gets the database lock does the work. A search
 * also looks at the changes that the index does not have yet, so its results do not depend on when this runs.
 */
@Injectable()
export class SearchIndexer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Search');
  private timer: NodeJS.Timeout | undefined;
  private indexing: Promise<void> | undefined;
  private isWanted = false;
  private isStopped = false;
  private hasFailed = false;

  constructor(
    private readonly connection: EventsConnection,
    private readonly sequencer: Sequencer,
  ) {}

  onApplicationBootstrap(): void {
    this.sequencer.onNumbered(() => this.wake());
    this.timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.indexing;
  }

  /** Looks for events now, or again after the current batch. */
  private wake(): void {
    this.isWanted = true;
    this.indexing ??= this.index().finally(() => (this.indexing = undefined));
  }

  private async index(): Promise<void> {
    while (this.isWanted && !this.isStopped) {
      this.isWanted = false;
      try {
        const [row] = await this.connection.query<{ indexed: number | null }>(INDEX_WORDS);
        if ((row?.indexed ?? 0) > 0) this.isWanted = true;
        this.hasFailed = false;
      } catch (error) {
        if (!this.hasFailed) this.logger.warn(`Indexing for search failed; retrying: ${describeCause(error)}`);
        this.hasFailed = true;
      }
    }
  }
}
