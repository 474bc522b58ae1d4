import { isProblem, type NewShipment, type WaybillClient } from '@waybill/client';
import { STATUSES } from '../../../src/model/shipment-status.js';
import { oneOf, type Random } from '../crash/random.js';
import { ADDRESS } from '../../../test/support/records/records.js';

const ANY_VERSION = { ifMatch: '*' };
const AT_A_TIME = 8;
const FEWEST_SHIPMENTS = 40;
const LONG_TEXTS = ['🚚', '📦', '🏠', '🛣'].map((sign) => sign.repeat(2000));

/** Clients that make random changes of all kinds to shipments that they share, and to what belongs to them. */
export class Writers {
  /** How many writes of each kind were accepted. */
  readonly accepted = new Map<string, number>();
  total = 0;
  private readonly ids: string[] = [];

  constructor(
    private readonly client: WaybillClient,
    private readonly random: Random,
  ) {}

  /** Writes until so many writes were accepted. */
  async run(writes: number): Promise<void> {
    while (this.ids.length < FEWEST_SHIPMENTS) await this.create();
    const write = async () => {
      while (this.total < writes) await this.writeOne();
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, write));
  }

  private async writeOne(): Promise<void> {
    const id = oneOf(this.ids, this.random);
    const [kind, write] = oneOf(this.deeds, this.random);
    try {
      await write(id);
      this.count(kind);
    } catch (error) {
      // Another writer has deleted it or changed its status. Anything else is a fault of this test.
      const isExpected = (['NOT_FOUND', 'STATUS_TRANSITION', 'DUPLICATE'] as const).some((code) =>
        isProblem(error, code),
      );
      if (!isExpected) throw error;
      if (isProblem(error, 'NOT_FOUND')) this.forget(id);
    }
    while (this.ids.length < FEWEST_SHIPMENTS) await this.create();
  }

  /** Each as often as it stands here. */
  private readonly deeds: readonly (readonly [kind: string, write: (id: string) => Promise<unknown>])[] = [
    ['created', () => this.create()],
    ['patched', (id) => this.client.shipments.patch(id, { actualWeight: this.weight() }, ANY_VERSION)],
    ['patched', (id) => this.client.shipments.patch(id, { customerRemarks: this.text() }, ANY_VERSION)],
    ['patched', (id) => this.client.shipments.patch(id, { estimatedWeight: null }, ANY_VERSION)],
    [
      'patched',
      (id) => this.client.shipments.patch(id, { shipmentType: oneOf(['HHG', 'NTS'], this.random) }, ANY_VERSION),
    ],
    // From one to the other it is more than 16 kB: the event comes without values.
    [
      'patched',
      (id) => this.client.shipments.patch(id, { customerRemarks: oneOf(LONG_TEXTS, this.random) }, ANY_VERSION),
    ],
    ['patched', (id) => this.client.shipments.patch(id, {}, ANY_VERSION)],
    [
      'addressed',
      (id) => this.client.shipments.patch(id, { pickupAddress: { ...ADDRESS, city: this.text() } }, ANY_VERSION),
    ],
    ['addressed', (id) => this.client.shipments.patch(id, { destinationAddress: null }, ANY_VERSION)],
    ['addressed', (id) => this.client.shipments.patch(id, { destinationAddress: ADDRESS }, ANY_VERSION)],
    ['replaced', (id) => this.client.shipments.replace(id, this.whole(), ANY_VERSION)],
    ['status changed', (id) => this.changeStatus(id)],
    ['status changed', (id) => this.changeStatus(id)],
    ['service added', (id) => this.client.services.create(id, { code: this.text() })],
    ['moved', () => this.client.moves.create({ remarks: this.text() })],
    ['deleted', (id) => this.delete(id)],
  ];

  private async create(): Promise<void> {
    this.ids.push((await this.client.shipments.create(this.whole())).id);
  }

  private async delete(id: string): Promise<void> {
    await this.client.shipments.delete(id);
    this.forget(id);
  }

  private changeStatus(id: string): Promise<unknown> {
    const status = oneOf(STATUSES, this.random);
    const reason = status === 'REJECTED' ? { rejectionReason: this.text() } : {};
    return this.client.shipments.patchStatus(id, { status, ...reason }, ANY_VERSION);
  }

  private whole(): Omit<NewShipment, 'moveID'> {
    const address = this.random() < 0.5 ? { pickupAddress: ADDRESS } : {};
    return { shipmentType: 'HHG', estimatedWeight: this.weight(), customerRemarks: this.text(), ...address };
  }

  private count(kind: string): void {
    this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
    this.total += 1;
  }

  private forget(id: string): void {
    const index = this.ids.indexOf(id);
    if (index !== -1) this.ids.splice(index, 1);
  }

  private weight(): number {
    return 1 + Math.floor(this.random() * 1_000_000);
  }

  private text(): string {
    return `Ä${this.random().toString(36).slice(2)}`;
  }
}
