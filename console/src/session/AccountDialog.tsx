import { useState } from 'react';
import { countDrafts, discardDrafts } from '../model/drafts-of-user.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { announce } from '../components/notice.js';
import { useTyped } from '../components/use-typed.js';
import { preferences, setPreferences } from '../preferences.js';
import { settings } from '../settings.js';
import { browserStorage } from '../storage.js';
import { t } from '../texts/texts.js';
import { displayName, setDisplayName } from './display-name.js';
import { PreferenceFields } from './PreferenceFields.js';
import { session } from './session.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';

/** Settings of the user: without authentication also the name, with it the way out. */
export default function AccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { needsToken } = settings;
  const [name, setName, forgetName] = useTyped('name', displayName.get());
  const [chosen, setChosen] = useState(preferences.get());
  const [fault, setFault] = useState<unknown>();
  const [drafts] = useState(() => countDrafts(browserStorage, session.subject));
  const save = async () => {
    try {
      if (!needsToken) setDisplayName(name.trim());
      await setPreferences(chosen);
      forgetName();
      announce(t.account.saved);
      onClose();
    } catch (error) {
      setFault(error);
    }
  };
  const foot = (
    <>
      <Fault error={fault} />
      {needsToken ? (
        <>
          {drafts === 0 ? null : (
            <button
              type="button"
              onClick={() => {
                discardDrafts(browserStorage, session.subject);
                session.signOut();
              }}
            >
              {t.account.signOutAndDiscard}
            </button>
          )}
          <button type="button" onClick={() => session.signOut()}>
            {t.actions.signOut}
          </button>
        </>
      ) : null}
      <button type="button" onClick={onClose}>
        {t.actions.close}
      </button>
      <button type="submit" form="account" className={controls.primary}>
        {t.actions.save}
      </button>
    </>
  );
  const title = needsToken ? t.account.signedInAs(session.name ?? t.account.key) : t.account.yourName;
  return (
    <Dialog title={title} isSmall onClose={onClose} foot={foot}>
      <form
        id="account"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {needsToken ? null : (
          <>
            <label className={controls.field}>
              <span className={controls.label}>{t.account.name}</span>
              <input
                value={name}
                maxLength={100}
                autoComplete="name"
                onChange={({ target }) => setName(target.value)}
              />
            </label>
            <p className={text.hint}>{t.account.nameHint}</p>
          </>
        )}
        <PreferenceFields value={chosen} onChange={setChosen} />
      </form>
      {needsToken && drafts > 0 ? <p className={text.hint}>{t.account.draftsStay(drafts)}</p> : null}
    </Dialog>
  );
}
