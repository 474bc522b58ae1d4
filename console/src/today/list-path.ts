import type { OverviewCount } from '@waybill/client';

/** The view that lists what a number of the overview counts. */
export function listPath({ list }: OverviewCount): string {
  return `/list${new URL(list, location.href).search}`;
}
