import { useState } from 'react';
import { Wordmark } from '../parts/Wordmark.js';
import { announce } from '../parts/notice.js';
import { Dialog } from '../parts/Dialog.js';
import { Fault } from '../parts/Fault.js';
import { explain } from '../parts/faults.js';
import { settings } from '../settings.js';
import { useStore } from '../use-store.js';
import { beginSignIn } from './oidc.js';
import { session } from './session.js';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';
import styles from './SignIn.module.css';

export function SignInPage() {
  const fault = useStore(session.fault);
  return (
    <main className={styles.signIn}>
      <div className={styles.card}>
        <h1>
          <Wordmark height={44} />
        </h1>
        <p className={text.lead}>Moves and shipments, with updates that never overwrite each other.</p>
        <Fault error={fault} />
        <Ways />
      </div>
    </main>
  );
}

/** Shown on top of the open view, which continues afterwards. */
export function SignInAgain() {
  return (
    <Dialog title="Sign in again" isSmall onClose={() => announce('Sign in to continue. Your changes are kept.')}>
      <p>Your session has expired. Your changes are kept, and saving continues after you sign in.</p>
      <Ways />
    </Dialog>
  );
}

function Ways() {
  if (settings.signIn === undefined) return <PasteToken />;
  return (
    <>
      <p>
        <button
          type="button"
          className={controls.primary}
          onClick={() => {
            beginSignIn().catch((error: unknown) => session.fault.set(explain(error)));
          }}
        >
          Sign in
        </button>
      </p>
      <details>
        <summary>Use a token instead</summary>
        <PasteToken />
      </details>
    </>
  );
}

function PasteToken() {
  const [isRefused, setIsRefused] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('token');
        setIsRefused(!session.paste(typeof text === 'string' ? text : ''));
      }}
    >
      <label className={controls.field}>
        <span className={controls.label}>Token</span>
        <textarea
          className={styles.token}
          name="token"
          rows={4}
          autoComplete="off"
          spellCheck={false}
          required
          aria-invalid={isRefused}
        />
      </label>
      <Fault error={isRefused ? 'This is not a JSON Web Token.' : undefined} />
      <p className={text.hint}>For development. The token is kept in memory and lost on reload.</p>
      <button type="submit" className={settings.signIn === undefined ? controls.primary : undefined}>
        Use this token
      </button>
    </form>
  );
}
