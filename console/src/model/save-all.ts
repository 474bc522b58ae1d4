import type { Action, Answer, EditState, Next, Saved, Saving } from './edit.js';

/** Where the state of an edit is kept. The user can change it between an attempt and its answer. */
interface Editor {
  get(): EditState;
  dispatch(action: Action): void;
}

interface Sender {
  readonly send: (saving: Saving) => Promise<Answer>;
  readonly next: () => Next;
}

/** Sends attempts, one at a time, until everything is saved or the user has to act. */
export async function saveAll(
  editor: Editor,
  type: 'save' | 'settle',
  { send, next }: Sender,
): Promise<Saved | undefined> {
  if (editor.get().saving !== undefined) return undefined;
  editor.dispatch({ type, next: next() });
  for (let { saving } = editor.get(); saving !== undefined; { saving } = editor.get()) {
    const answer = await send(saving);
    editor.dispatch({ type: 'answered', answer, next: next() });
  }
  return editor.get().saved;
}
