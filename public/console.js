// Loads the console again if a file of it is missing before it is shown. During an upgrade, the replica that is asked for the files may have
// another version than the one that sent the page.

const TRIES = 'waybill.tries';
const MAX_TRIES = 30;
const RETRY_MS = 1000;
let isLoadedAgain = false;

function loadAgain({ target }) {
  const isFile = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel !== 'icon');
  if (!isFile || isLoadedAgain || document.getElementById('console')?.hasChildNodes()) return;
  const tries = Number(sessionStorage.getItem(TRIES));
  if (tries >= MAX_TRIES) {
    sessionStorage.removeItem(TRIES);
    return;
  }
  isLoadedAgain = true;
  sessionStorage.setItem(TRIES, String(tries + 1));
  setTimeout(() => location.reload(), tries === 0 ? 0 : RETRY_MS);
}

// Errors of elements do not bubble.
addEventListener('error', loadAgain, true);
addEventListener('load', () => {
  if (!isLoadedAgain) sessionStorage.removeItem(TRIES);
});
