import type { ReactNode } from 'react';

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Fact({ label, children, isWide = false }: FactProps) {
  return (
    <div className={isWide ? 'fact wide-fact' : 'fact'}>
      <dt>{label}</dt>
      <dd dir="auto">{children ?? <span className="none">–</span>}</dd>
    </div>
  );
}
