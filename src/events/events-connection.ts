import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { Database } from '../database/database.js';

/** For numbering events and reading the newest ones, which continue while the pool is busy. */
@Injectable()
export class EventsConnection extends BackgroundConnection {
  constructor(database: Database, @Inject(CONFIG) config: Config) {
    super('waybill-events', database, config);
  }
}
