import { useState } from 'react';
import { Dialog } from '../parts/Dialog.js';
import { settings } from '../settings.js';
import { displayName, setDisplayName } from './display-name.js';
import { session } from './session.js';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';

export default function AccountDialog({ onClose }: { readonly onClose: () => void }) {
  return settings.needsToken ? <SignedIn onClose={onClose} /> : <YourName onClose={onClose} />;
}

function SignedIn({ onClose }: { readonly onClose: () => void }) {
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        Close
      </button>
      <button type="button" className={controls.primary} onClick={() => session.signOut()}>
        Sign out
      </button>
    </>
  );
  return (
    <Dialog title={`Signed in as ${session.name ?? ''}`} isSmall onClose={onClose} foot={foot}>
      <p>Your drafts stay in this browser when you sign out.</p>
    </Dialog>
  );
}

function YourName({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState(displayName.get());
  const save = () => {
    setDisplayName(name.trim());
    onClose();
  };
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button type="button" className={controls.primary} onClick={save}>
        Save name
      </button>
    </>
  );
  return (
    <Dialog title="Your name" isSmall onClose={onClose} foot={foot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label className={controls.field}>
          <span className={controls.label}>Name that others see</span>
          <input value={name} maxLength={100} autoComplete="name" onChange={({ target }) => setName(target.value)} />
        </label>
      </form>
      <p className={text.hint}>
        This service does not ask anybody to sign in, so the name is not checked. It appears in the history of what you
        change.
      </p>
    </Dialog>
  );
}
