import { announce } from '../parts/notice.js';
import { Dialog } from '../parts/Dialog.js';
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
    announce('Secret copied.');
  };
  const foot = (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <button type="button" className={controls.primary} onClick={onClose}>
        I have stored it
      </button>
    </>
  );
  return (
    <Dialog title="Secret of the webhook" isSmall onClose={onClose} foot={foot}>
      <p>The receiver verifies deliveries with this secret. Store it now: it is not shown again.</p>
      <p>
        <code className={styles.secret}>{secret}</code>
      </p>
    </Dialog>
  );
}
