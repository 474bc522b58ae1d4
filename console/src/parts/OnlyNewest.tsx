/** Says that there are more records than the service put inside another; `next` is their address. */
export function OnlyNewest({ next }: { readonly next: string | null | undefined }) {
  return typeof next === 'string' ? <p className="empty">There are more. Only the newest are shown.</p> : null;
}
