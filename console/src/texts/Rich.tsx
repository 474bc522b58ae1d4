import { createElement, Fragment, type ReactNode } from 'react';

/** Shows a sentence with elements in it. */
export function Rich({ children }: { readonly children: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...children);
}
