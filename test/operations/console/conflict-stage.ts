import type { Shipment, WaybillClient } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { ConsoleWorld, SHIPMENT } from './harness.js';

/** Ann has the form of a shipment open, and does not hear of what Ben does until she saves. */
class ConflictStage {
  world!: ConsoleWorld;
  ben!: WaybillClient;
  page!: Page;
  id!: string;

  async open(): Promise<void> {
    ({ id: this.id } = await this.ben.shipments.create(SHIPMENT));
    const context = await this.world.contextWithoutEvents();
    this.page = await this.world.open(context, `/shipments/${this.id}/edit`, await this.world.token('Ann'));
    await this.page.getByLabel('Customer remarks').waitFor();
  }

  field(name: string): Locator {
    return this.page.getByRole('form').getByLabel(name, { exact: true });
  }

  save(): Promise<void> {
    return this.page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  collision(name: string): Locator {
    return this.dialog().getByRole('group', { name, exact: true });
  }

  saveDecided(): Promise<void> {
    return this.dialog().getByRole('button', { name: 'Save', exact: true }).click();
  }

  isSaved(): Promise<void> {
    return this.page.getByText(/^Saved/).waitFor();
  }

  stored(): Promise<Shipment> {
    return this.ben.shipments.get(this.id);
  }
}

/** A stage for each test of a file; no page may have written an error to its console. */
export function useConflictStage(): ConflictStage {
  const stage = new ConflictStage();
  beforeAll(async () => {
    stage.world = await ConsoleWorld.start();
    stage.ben = await stage.world.colleague('Ben');
  });
  afterAll(() => stage.world.stop());
  beforeEach(() => stage.open());
  afterEach(async () => {
    expect(await stage.world.leave()).toEqual([]);
  });
  return stage;
}
