import { RECORD, recordOf, withMembers, type Expected } from './expected.js';
import type { Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import type { HistoryEntry, Key, KeyPatch, KeyReplacement, KeyShownOnce, NewKey } from './records.js';
import { listOf, Records, type DeleteOptions, type ListOptions } from './versioned-records.js';

const SHOWN_ONCE: Expected = (answer) => RECORD(answer) && withMembers('key', 'notice')(answer);

/** API keys. `delete` revokes one. */
export class Keys extends Records<Key, KeyPatch, KeyReplacement> {
  /** Its state changes without a new version. */
  protected override readonly unreported = undefined;

  constructor(http: Http) {
    super(http, '/v1/keys');
  }

  list(options: ListOptions = {}): List<Key> {
    return listOf(this.http, '/v1/keys', options);
  }

  /** Its changes, newest first; available even after it was revoked. */
  history(id: string, options: ListOptions = {}): List<HistoryEntry> {
    return listOf(this.http, `${this.pathOf(id)}/history`, options);
  }

  /** The response has the key, which cannot be read later. If the client had to repeat the request, `key` is null: rotate it. */
  create(key: NewKey, options: WriteCallOptions = {}): Promise<KeyShownOnce> {
    const request = { method: 'POST', path: '/v1/keys', body: key, expected: SHOWN_ONCE, ...options } as const;
    return this.http.call<KeyShownOnce>(request);
  }

  /** The response has the new key. The previous one works for another day. */
  rotateKey(id: string, options: DeleteOptions = {}): Promise<KeyShownOnce> {
    const path = `${this.pathOf(id)}/rotateKey`;
    const expected: Expected = (answer) => recordOf(id)(answer) && SHOWN_ONCE(answer);
    return this.http.call<KeyShownOnce>({ method: 'POST', path, expected, ...options });
  }
}
