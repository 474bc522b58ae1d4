import { describeInBrowser, launchBrowser } from '../../support/repository/browser.js';
import { Stage, useWorld } from './harness.js';

/** Not one of the names of this computer, which browsers trust without TLS. */
const HOST = 'waybill.test';

describeInBrowser('the console over plain http, from another computer', () => {
  const stage = useWorld(new Stage());

  test('says that it needs a secure connection', async () => {
    const browser = await launchBrowser(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`);
    try {
      const page = await browser.newPage();
      const { port } = new URL(stage.world.service.url);
      await page.goto(`http://${HOST}:${port}/console`);
      await page.getByText('The console needs a secure connection', { exact: false }).waitFor();
    } finally {
      await browser.close();
    }
  });
});
