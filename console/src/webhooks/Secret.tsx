import { announce } from '../parts/notice.js';
import { Dialog } from '../parts/Dialog.js';
import { t } from '../texts/texts.js';
import controls from '../parts/controls.module.css';
import styles from './Webhooks.module.css';

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret, which cannot be read again. */
export function Secret({ secret, onClose }: SecretProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    announce(t.webhooks.copied);
  };
  const foot = (
    <>
      <button type="button" onClick={() => void copy()}>
        {t.webhooks.copy}
      </button>
      <button type="button" className={controls.primary} onClick={onClose}>
        {t.webhooks.stored}
      </button>
    </>
  );
  return (
    <Dialog title={t.webhooks.secret} isSmall onClose={() => announce(t.webhooks.storeFirst)} foot={foot}>
      <p>{t.webhooks.secretText}</p>
      <p>
        <code className={styles.secret}>{secret}</code>
      </p>
    </Dialog>
  );
}
