import { Component, type ReactNode } from 'react';
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
        <h1>This page failed</h1>
        <p>{error instanceof Error ? error.message : 'An unknown error occurred.'}</p>
        <p>Your drafts are kept in this browser.</p>
        <p>
          <button type="button" className={controls.primary} onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </div>
    );
  }
}
