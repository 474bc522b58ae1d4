import { useState, type SubmitEvent } from 'react';
import { Wordmark } from '../components/Wordmark.js';
import { announce } from '../components/notice.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { settings } from '../settings.js';
import { useStore } from '../use-store.js';
import { session } from './session.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './SignIn.module.css';

export function SignInPage() {
  const notice = useStore(session.notice);
  return (
    <main className={styles.signIn}>
      <div className={styles.card}>
        <h1>
          <Wordmark height={44} />
        </h1>
        <p className={text.lead}>{t.account.lead}</p>
        {notice === undefined ? null : <p role="status">{t.account.notices[notice]}</p>}
        {notice === 'signingIn' || notice === 'handedOver' ? null : <Ways />}
      </div>
    </main>
  );
}

/** Shown on top of the open view, which continues afterwards. */
export function SignInAgain() {
  return (
    <Dialog title={t.account.again} isSmall onClose={() => announce(t.account.toContinue)}>
      <p>{settings.usesKeys ? t.account.keyEnded : t.account.expired}</p>
      <Ways />
    </Dialog>
  );
}

function Ways() {
  const fault = useStore(session.fault);
  if (settings.usesKeys) return <EnterKey />;
  if (settings.signIn === undefined) return <PasteToken />;
  return (
    <>
      <Fault error={fault} />
      <p>
        <button type="button" className={controls.primary} onClick={() => void session.signIn()}>
          {t.account.signIn}
        </button>
      </p>
      <details>
        <summary>{t.account.tokenInstead}</summary>
        <PasteToken />
      </details>
    </>
  );
}

function EnterKey() {
  const fault = useStore(session.fault);
  const { refusal, isAsking, enter } = useEntering('key');
  const shown = refusal ?? fault;
  return (
    <form onSubmit={enter}>
      <label className={controls.field}>
        <span className={controls.label}>{t.account.key}</span>
        <input
          className={styles.token}
          type="password"
          name="key"
          autoComplete="current-password"
          spellCheck={false}
          required
          aria-invalid={shown !== undefined}
        />
      </label>
      <Fault error={shown} />
      <p className={text.hint}>{t.account.keyHint}</p>
      <button type="submit" className={controls.primary} disabled={isAsking}>
        {t.account.useKey}
      </button>
    </form>
  );
}

/** Signs in with what was entered in the field of a form. */
function useEntering(field: string) {
  const [refusal, setRefusal] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const enter = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget).get(field);
    setIsAsking(true);
    void session.enter(typeof entered === 'string' ? entered : '').then((reason) => {
      setRefusal(reason);
      setIsAsking(false);
    });
  };
  return { refusal, isAsking, enter };
}

function PasteToken() {
  const { refusal, enter } = useEntering('token');
  return (
    <form onSubmit={enter}>
      <label className={controls.field}>
        <span className={controls.label}>{t.account.token}</span>
        <textarea
          className={styles.token}
          name="token"
          rows={4}
          autoComplete="off"
          spellCheck={false}
          required
          aria-invalid={refusal !== undefined}
        />
      </label>
      <Fault error={refusal} />
      <p className={text.hint}>{t.account.tokenHint}</p>
      <button type="submit" className={settings.signIn === undefined ? controls.primary : undefined}>
        {t.account.useToken}
      </button>
    </form>
  );
}
