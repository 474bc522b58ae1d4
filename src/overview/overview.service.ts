import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { nextStatuses, STATUSES, type ShipmentStatus } from '../shipments/shipment-status.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { dayAfter, type OverviewDays } from './dto/overview-query.js';
import { countAll, MAX_COUNT, MAX_COUNT_OF_DAY, type Counted, type CountRow } from './overview-sql.js';

interface Count {
  readonly count: number;
  readonly more: boolean;
  readonly list: string;
}

const NOT_PICKED_UP: readonly ShipmentStatus[] = ['SUBMITTED', 'APPROVED'];
const OPEN = STATUSES.filter((status) => nextStatuses(status).length > 0);
/** Rejected and canceled shipments are neither picked up nor delivered. */
const PLANNED = STATUSES.filter((status) => status !== 'REJECTED' && status !== 'CANCELED');

/** Counts shipments at a bounded cost. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async read({ today, from, to }: OverviewDays): Promise<object> {
    const before = { to: dayAfter(today, -1) };
    const on = { from: today, to: today };
    const headlines: Counted[] = [
      { statuses: NOT_PICKED_UP, dates: { field: 'pickupDate', ...before } },
      { statuses: OPEN, dates: { field: 'deliveryDate', ...before } },
      { statuses: NOT_PICKED_UP, dates: { field: 'pickupDate', ...on } },
      { statuses: OPEN, dates: { field: 'deliveryDate', ...on } },
      ...STATUSES.map((status) => ({ statuses: [status] })),
    ];
    const { statement, values } = countAll(headlines, { statuses: PLANNED, from, to });
    const [counted] = await this.database.query<CountRow>(statement, values);
    if (counted === undefined) throw new Error('Nothing was counted');
    const counts = headlines.map((each, index) => this.count(each, counted.counts[index], MAX_COUNT));
    const [latePickups, lateDeliveries, pickups, deliveries, ...statuses] = counts;
    const byStatus = STATUSES.map((status, index) => ({ status, ...statuses[index] }));
    return {
      today,
      from,
      to,
      countedAt: counted.countedAt,
      overdue: { pickups: latePickups, deliveries: lateDeliveries },
      dueToday: { pickups, deliveries },
      waitingForApproval: statuses[STATUSES.indexOf('SUBMITTED')],
      byStatus,
      days: counted.days.map((day) => ({
        date: day.date,
        pickups: this.onDay('pickupDate', day.date, day.pickups),
        deliveries: this.onDay('deliveryDate', day.date, day.deliveries),
      })),
    };
  }

  private onDay(field: 'pickupDate' | 'deliveryDate', date: string, number: number): Count {
    return this.count({ statuses: PLANNED, dates: { field, from: date, to: date } }, number, MAX_COUNT_OF_DAY);
  }

  private count({ statuses, dates }: Counted, number = 0, limit: number): Count {
    const range = dates && [
      ...(dates.from === undefined ? [] : [`${dates.field}From=${dates.from}`]),
      `${dates.field}To=${dates.to}`,
    ];
    const query = [`status=${statuses.join()}`, ...(range ?? [])].join('&');
    const list = `${this.config.PUBLIC_URL ?? ''}${SHIPMENTS.path}?${query}`;
    return { count: Math.min(number, limit), more: number > limit, list };
  }
}
