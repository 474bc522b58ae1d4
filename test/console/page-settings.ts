/** The settings that the service has put into a page of the console. */
export function settingsIn<Settings>(page: string): Settings {
  const [, content = ''] = /<meta name="waybill-settings" content="([^"]*)"/.exec(page) ?? [];
  return JSON.parse(content.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))) as Settings;
}
