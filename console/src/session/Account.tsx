import { CircleUser } from 'lucide-react';
import { Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../texts/texts.js';
import { lazyView, openDialog } from '../components/lazy-view.js';
import shell from '../components/Shell.module.css';
import { settings } from '../settings.js';
import { useStore } from '../use-store.js';
import { displayName } from './display-name.js';
import { session } from './session.js';
import controls from '../components/controls.module.css';

const AccountDialog = lazyView(() => import('./AccountDialog.js'));

/** The user of the console. Opens a dialog to sign out or, without authentication, to set a name. */
export function Account() {
  const [isOpen, setIsOpen] = useState(false);
  const name = useStore(displayName);
  return (
    <>
      <button
        type="button"
        className={controls.quiet}
        aria-haspopup="dialog"
        onClick={() => openDialog(AccountDialog, () => setIsOpen(true))}
      >
        <CircleUser />
        <span className={shell.wide}>
          {settings.needsToken ? (session.name ?? t.account.key) : name || t.account.setName}
        </span>
      </button>
      {isOpen
        ? createPortal(
            <Suspense>
              <AccountDialog onClose={() => setIsOpen(false)} />
            </Suspense>,
            document.body,
          )
        : null}
    </>
  );
}
