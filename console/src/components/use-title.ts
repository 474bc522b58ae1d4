import { useEffect } from 'react';

/** Names the tab after the view. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? 'Waybill' : `${title} · Waybill`;
  }, [title]);
}
