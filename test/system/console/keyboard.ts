import type { Locator, Page } from 'playwright-core';

/** Enough to walk through every control of a view. */
const MAX_STEPS = 250;

/** Somebody who has no mouse: all they can do is press keys and read. */
export class Keyboard {
  constructor(readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types into what has the focus, in place of what stands there. */
  async write(text: string): Promise<void> {
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Month, day and year of a date, each in its own part of the field. */
  async writeDate(digits: string): Promise<void> {
    await this.page.keyboard.type(digits);
  }

  /** Goes from control to control until the named one has the focus. */
  async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor();
    // Found once: to find it by its role and name takes longer than a step.
    let element = await target.elementHandle();
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const [isThere, isReached] = await element.evaluate<boolean[]>((it) => [
        it.isConnected,
        it === it.ownerDocument.activeElement,
      ]);
      if (isReached === true) return;
      if (isThere !== true) element = await target.elementHandle();
      else await this.press(key);
    }
    throw new Error(`${key} does not lead to ${String(target)}`);
  }

  async choose(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.press('Enter');
  }

  /** Only one radio of a group is reached with Tab; the arrows go on from there. */
  async chooseRadio(group: Locator, name: string | RegExp): Promise<void> {
    const wanted = group.getByRole('radio', { name });
    const first = group.getByRole('radio').first();
    await this.tabTo(first);
    await this.press('Space');
    for (let step = 0; step < MAX_STEPS && !(await hasFocus(wanted)); step += 1) await this.press('ArrowDown');
    if (!(await wanted.isChecked())) throw new Error(`The arrows do not lead to ${String(wanted)}`);
  }

  async signIn(token: string): Promise<void> {
    await this.tabTo(this.page.getByLabel('Token', { exact: true }));
    await this.write(token);
    await this.choose(this.page.getByRole('button', { name: 'Use this token' }));
  }
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
