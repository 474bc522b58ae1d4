import type { MigrationInterface } from 'typeorm';
import { VersionClock1763400000001 } from './1763400000001-version-clock.js';
import { History1763400000002 } from './1763400000002-history.js';
import { MovesAndShipments1763400000003 } from './1763400000003-moves-and-shipments.js';
import { AgentsAndServices1763400000004 } from './1763400000004-agents-and-services.js';
import { IdempotencyKeys1763400000005 } from './1763400000005-idempotency-keys.js';
import { Events1763400000006 } from './1763400000006-events.js';
import { Imports1763400000007 } from './1763400000007-imports.js';
import { Search1763400000008 } from './1763400000008-search.js';
import { Webhooks1763400000009 } from './1763400000009-webhooks.js';
import { DeliveryRequests1763500000010 } from './1763500000010-delivery-requests.js';
import { WebhookProgress1763500000020 } from './1763500000020-webhook-progress.js';
import { WaitingDeliveries1763500000022 } from './1763500000022-waiting-deliveries.js';
import { HistoryPositions1763500000030 } from './1763500000030-history-positions.js';
import { SearchInParts1763500000040 } from './1763500000040-search-in-parts.js';
import { ManyGaps1763500000041 } from './1763500000041-many-gaps.js';
import { ErasureByName1763500000050 } from './1763500000050-erasure-by-name.js';
import { ListMarks1763500000080 } from './1763500000080-list-marks.js';
import { FewListMarks1763600000050 } from './1763600000050-few-list-marks.js';
import { SeededEntries1763600000100 } from './1763600000100-seeded-entries.js';
import { FailedDeliveries1763600000101 } from './1763600000101-failed-deliveries.js';
import { FinishedDeliveries1763600000102 } from './1763600000102-finished-deliveries.js';
import { DropDeliveryAges1763600000103 } from './1763600000103-drop-delivery-ages.js';
import { ShipmentConditions1763600000500 } from './1763600000500-shipment-conditions.js';
import { UnchangedWords1763600000510 } from './1763600000510-unchanged-words.js';
import { Deletions1763600000600 } from './1763600000600-deletions.js';
import { Undelete1763600000601 } from './1763600000601-undelete.js';
import { ReservedMoveCodes1763600000602 } from './1763600000602-reserved-move-codes.js';
import { PlansOfDeletions1763600000710 } from './1763600000710-plans-of-deletions.js';
import { EndsOfCodes1763600000720 } from './1763600000720-ends-of-codes.js';
import { SearchByEndOfCode1763600000721 } from './1763600000721-search-by-end-of-code.js';
import { AmbiguousImports1763600000722 } from './1763600000722-ambiguous-imports.js';
import { FileNamesOfImports1763600000723 } from './1763600000723-file-names-of-imports.js';
import { Keys1763600000740 } from './1763600000740-keys.js';
import { WebhooksOfKeys1763600000741 } from './1763600000741-webhooks-of-keys.js';
import { CreatorsOfKeys1763600000742 } from './1763600000742-creators-of-keys.js';
import { ExpiringKeys1763600000743 } from './1763600000743-expiring-keys.js';
import { TypesOfEntries1763600000760 } from './1763600000760-types-of-entries.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  VersionClock1763400000001,
  History1763400000002,
  MovesAndShipments1763400000003,
  AgentsAndServices1763400000004,
  IdempotencyKeys1763400000005,
  Events1763400000006,
  Imports1763400000007,
  Search1763400000008,
  Webhooks1763400000009,
  DeliveryRequests1763500000010,
  WebhookProgress1763500000020,
  WaitingDeliveries1763500000022,
  HistoryPositions1763500000030,
  SearchInParts1763500000040,
  ManyGaps1763500000041,
  ErasureByName1763500000050,
  ListMarks1763500000080,
  FewListMarks1763600000050,
  SeededEntries1763600000100,
  FailedDeliveries1763600000101,
  FinishedDeliveries1763600000102,
  DropDeliveryAges1763600000103,
  ShipmentConditions1763600000500,
  UnchangedWords1763600000510,
  Deletions1763600000600,
  Undelete1763600000601,
  ReservedMoveCodes1763600000602,
  PlansOfDeletions1763600000710,
  EndsOfCodes1763600000720,
  SearchByEndOfCode1763600000721,
  AmbiguousImports1763600000722,
  FileNamesOfImports1763600000723,
  Keys1763600000740,
  WebhooksOfKeys1763600000741,
  CreatorsOfKeys1763600000742,
  ExpiringKeys1763600000743,
  TypesOfEntries1763600000760,
];

/** Undoing a migration would only destroy data that was written since, so none can be undone, whatever its file says. */
for (const { prototype } of MIGRATIONS as readonly { readonly prototype: Partial<MigrationInterface> }[]) {
  prototype.down = () => Promise.reject(new Error('A migration cannot be undone. Restore a backup instead.'));
}
