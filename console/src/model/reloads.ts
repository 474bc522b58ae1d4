/** A service that is being upgraded answers with the files of one version, then of the other. */
const MS_BETWEEN_RELOADS = 30_000;

/** Whether a page whose code is missing may be loaded anew, although it was at `last`. A clock that was set back does not delay it. */
export function mayReloadAt(last: number, now: number): boolean {
  return now < last || now - last >= MS_BETWEEN_RELOADS;
}
