export default async function globalTeardown() {
  await globalThis.pgBouncer?.stop();
  await globalThis.throwawayPostgres?.stop();
}
