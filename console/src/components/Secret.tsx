import { useState } from 'react';
import { announce } from './notice.js';
import { Dialog } from './Dialog.js';
import { Fault } from './Fault.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Secret.module.css';

interface SecretProps {
  readonly title: string;
  /** What it is for. */
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret, which cannot be read again. Esc does not close it. */
export function Secret({ title, text, secret, onClose }: SecretProps) {
  const [cannotCopy, setCannotCopy] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => announce(t.secret.copied),
      () => setCannotCopy(true),
    );
  const foot = (
    <>
      <Fault error={cannotCopy ? t.secret.cannotCopy : undefined} />
      <button type="button" onClick={() => void copy()}>
        {t.secret.copy}
      </button>
      <button type="button" className={controls.primary} onClick={onClose}>
        {t.secret.stored}
      </button>
    </>
  );
  return (
    <Dialog title={title} isSmall onClose={() => announce(t.secret.notStored)} foot={foot}>
      <p>{text}</p>
      <p>
        <code className={styles.secret}>{secret}</code>
      </p>
    </Dialog>
  );
}
