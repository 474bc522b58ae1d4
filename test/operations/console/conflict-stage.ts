import type { Shipment } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { SHIPMENT, Stage, useWorld } from './harness.js';

/** Ann has the form of a shipment open, and does not hear of what Ben does until she saves. */
class ConflictStage extends Stage {
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
    return this.page.getByText(/^Saved[.,]/).waitFor();
  }

  stored(): Promise<Shipment> {
    return this.ben.shipments.get(this.id);
  }
}

/** A stage for each test of a file. */
export function useConflictStage(): ConflictStage {
  const stage = useWorld(new ConflictStage());
  beforeEach(() => stage.open());
  return stage;
}
