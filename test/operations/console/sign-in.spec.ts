import { describeInBrowser } from '../../support/repository/browser.js';
import { AUDIENCE, CLIENT_ID, startIssuer } from '../../../examples/demo/issuer.mjs';
import { ConsoleWorld } from './harness.js';

describeInBrowser('signing in by OpenID Connect', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let world: ConsoleWorld;

  beforeAll(async () => {
    issuer = await startIssuer(['Ann Porter', 'Maya Chen']);
    world = await ConsoleWorld.start({
      JWT_ISSUER: issuer.url,
      JWT_AUDIENCE: AUDIENCE,
      JWT_JWKS_URL: issuer.keysUrl,
      CONSOLE_CLIENT_ID: CLIENT_ID,
    });
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });
  afterEach(async () => {
    expect(await world.leave()).toEqual([]);
  });

  test('leads to the issuer and back to the view that was asked for, with the name of the token', async () => {
    const page = await world.tab(await world.context());
    const view = `${world.service.url}/console/list?status=APPROVED`;
    await page.goto(view);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Maya Chen' }).click();
    await page.getByRole('button', { name: 'Maya Chen' }).waitFor();
    await page.waitForURL(view);
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toMatch(/eyJ/);
  });

  test('refuses an answer that it did not ask for', async () => {
    const page = await world.tab(await world.context());
    await page.goto(`${world.service.url}/console`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Ann Porter' }).waitFor();
    await page.goto(`${world.service.url}/console/signed-in?code=stolen&state=guessed`);
    await page.getByText('This sign-in was not started in this tab. Try again.').waitFor();
  });
});
