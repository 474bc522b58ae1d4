import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import { BackgroundLoop } from '../operations/background-loop.js';

/** Finds events that another replica has numbered before it stopped. */
const LOOK_EVERY_MS = 1000;

const INDEX_WORDS = namedStatement('search_index_words')`SELECT index_words() AS indexed`;

/**
 * Keeps the search index up to date with the events, one part per round; the sequencer wakes it. Every replica runs it; the one that gets the database lock does
 * the work. A search also looks at the changes that the index does not have yet, unless there are too many.
 */
@Injectable()
export class SearchIndexer extends BackgroundLoop {
  private readonly connection: BackgroundConnection;

  constructor(database: Database, @Inject(CONFIG) config: Config) {
    super('Search', 'Indexing for search', LOOK_EVERY_MS);
    // Its own, because numbering must not wait for indexing.
    this.connection = new BackgroundConnection('waybill-search', database, config);
  }

  protected override async round(): Promise<number> {
    const [row] = await this.connection.query<{ indexed: number | null }>(INDEX_WORDS);
    return (row?.indexed ?? 0) > 0 ? 0 : LOOK_EVERY_MS;
  }
}
