import { Component, type ReactNode } from 'react';
import { t } from '../texts/texts.js';
import { forgetMissing, ViewMissing } from './lazy-view.js';
import { MissingView, reload } from './MissingView.js';
import { announce } from './notice.js';
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
  /** How often the code of the view was missing. */
  readonly tries: number;
}

/** Replaces a view that failed. Drafts are in the browser's storage, so reloading loses none. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { view: this.props.view, tries: 0 };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ view }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return view === state.view ? null : { view, error: undefined, tries: 0 };
  }

  private readonly retry = () => {
    forgetMissing();
    this.setState(({ tries }) => ({ error: undefined, tries: tries + 1 }));
  };

  override render(): ReactNode {
    const { error, tries } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof ViewMissing) return <MissingView tries={tries} onRetry={this.retry} />;
    return (
      <div className={page.page} role="alert">
        <h1>{t.faults.page}</h1>
        <p>{error instanceof Error ? error.message : t.faults.unknown}</p>
        <p>{t.faults.draftsKept}</p>
        <p>
          <button
            type="button"
            className={controls.primary}
            onClick={() => void reload(() => announce(t.faults.noAnswer, { isFault: true }))}
          >
            {t.faults.reload}
          </button>
        </p>
      </div>
    );
  }
}
