import { Component, type ReactNode } from 'react';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import page from './page.module.css';

interface ErrorBoundaryProps {
  /** The view; another one gets another chance. */
  readonly view: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error?: unknown;
  readonly view: string;
}

/** Replaces a view that failed. Drafts are in the browser's storage, so reloading loses none. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { view: this.props.view };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ view }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return view === state.view ? null : { view, error: undefined };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className={page.page} role="alert">
        <h1>{t.faults.page}</h1>
        <p>{error instanceof Error ? error.message : t.faults.unknown}</p>
        <p>{t.faults.draftsKept}</p>
        <p>
          <button type="button" className={controls.primary} onClick={() => location.reload()}>
            {t.faults.reload}
          </button>
        </p>
      </div>
    );
  }
}
