import { Injectable } from '@nestjs/common';
import type { Statement } from '../database/statement.js';
import { BackgroundLoop } from '../operations/background-loop.js';
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
export class SearchIndexer extends BackgroundLoop {
  constructor(
    private readonly connection: EventsConnection,
    sequencer: Sequencer,
  ) {
    super('Search', 'Indexing for search', LOOK_EVERY_MS);
    sequencer.onNumbered(() => this.wake());
  }

  protected override async round(): Promise<number> {
    const [row] = await this.connection.query<{ indexed: number | null }>(INDEX_WORDS);
    return (row?.indexed ?? 0) > 0 ? 0 : LOOK_EVERY_MS;
  }
}
