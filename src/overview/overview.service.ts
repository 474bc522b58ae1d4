import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { STATUSES, type ShipmentStatus } from '../model/shipment-status.js';
import { FIRST_DAY, LAST_DAY } from '../validation/dates.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { dayAfter, type OverviewDays } from './dto/overview-query.js';
import { COUNT_ALL, MAX_COUNT, MAX_COUNT_OF_DAY, NOT_PICKED_UP, OPEN, PLANNED, type CountRow } from './overview-sql.js';

/** Counts shipments at a bounded cost. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async read({ today, from, to }: OverviewDays): Promise<object> {
    const [counted] = await this.database.query<CountRow>(COUNT_ALL, [today, from, to]);
    if (counted === undefined) throw new Error('Nothing was counted');
    const overdue = (field: string) => (today === FIRST_DAY ? noDay(field) : `&${field}To=${dayAfter(today, -1)}`);
    const byStatus = STATUSES.map((status, index) => this.count(counted.byStatus[index] ?? 0, [status]));
    return {
      today,
      from,
      to,
      countedAt: counted.countedAt,
      overdue: {
        pickups: this.count(counted.latePickups, NOT_PICKED_UP, overdue('pickupDate')),
        deliveries: this.count(counted.lateDeliveries, OPEN, overdue('deliveryDate')),
      },
      dueToday: {
        pickups: this.count(counted.pickups, NOT_PICKED_UP, on('pickupDate', today)),
        deliveries: this.count(counted.deliveries, OPEN, on('deliveryDate', today)),
      },
      waitingForApproval: byStatus[STATUSES.indexOf('SUBMITTED')],
      byStatus: STATUSES.map((status, index) => ({ status, ...byStatus[index] })),
      days: counted.days.map(({ date, pickups, deliveries }) => ({
        date,
        pickups: this.count(pickups, PLANNED, on('pickupDate', date), MAX_COUNT_OF_DAY),
        deliveries: this.count(deliveries, PLANNED, on('deliveryDate', date), MAX_COUNT_OF_DAY),
      })),
    };
  }

  private count(number: number, statuses: readonly ShipmentStatus[], dates = '', limit = MAX_COUNT): object {
    const list = `${this.config.PUBLIC_URL ?? ''}${SHIPMENTS.path}?status=${statuses.join()}${dates}`;
    return { count: Math.min(number, limit), more: number > limit, list };
  }
}

/** An empty range: nothing can be planned before the first day. */
function noDay(field: string): string {
  return `&${field}From=${LAST_DAY}&${field}To=${FIRST_DAY}`;
}

function on(field: string, date: string): string {
  return `&${field}From=${date}&${field}To=${date}`;
}
