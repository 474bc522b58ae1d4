/** Browsers offer random keys, locks and the sign-in only to pages that nobody can have changed on their way. */
if (!isSecureContext) {
  document.body.textContent =
    'The console needs a secure connection: open it over https, or on this computer as localhost.';
  throw new Error('The connection is not secure');
}

export {};
