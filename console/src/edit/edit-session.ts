import { isProblem, mayBeDone } from '@waybill/client';
import { announceDiscarded, keepDiscarded, readDiscarded, takeDiscarded } from '../discarded.js';
import { begin, reduce, type Action, type Answer, type EditState, type Saved, type Saving } from '../model/edit.js';
import { sentenceOfError } from '../model/field-errors.js';
import { valuesOf, type Kind } from '../model/fields.js';
import { isEmpty, type Draft } from '../model/draft.js';
import type { Version } from '../model/merge.js';
import { saveAll } from '../model/save-all.js';
import { weightFaults } from '../model/weights.js';
import { explain, explainOpen } from '../components/faults.js';
import { historyQuery, queryClient } from '../queries.js';
import { safely } from '../safely.js';
import { session } from '../session/session.js';
import { Store } from '../store.js';
import { bringBackDraft, draftName, hasDraftElsewhere, readDraft, writeDraft } from './kept-draft.js';
import { historyOf, RECORDS, type RecordOf } from './records.js';
import { reportOf } from './report.js';

interface Options {
  /** Called with each written version before the draft is changed. */
  readonly onWritten?: (version: Version) => void;
  /** Instead of a draft: the version to begin with. Nothing is kept of what is not saved. */
  readonly version?: Version;
}

interface KeptState extends EditState {
  /** False if the browser cannot store the draft. */
  readonly isKept: boolean;
}

/** The edits of one form. They are stored in the browser first, then sent, one attempt at a time. */
export class EditSession extends Store<KeptState> {
  /** Those that are saving, also while their forms are closed, by the names of their drafts. */
  private static readonly underWay = new Map<string, EditSession>();
  /** Those whose forms are open, by the names of their drafts. */
  private static readonly shown = new Map<string, EditSession>();
  /** Decisions about conflicts that were left undecided, by the names of the drafts. The next dialog about the same values begins with them. */
  private static readonly decided = new Map<string, Pick<EditState, 'decisions' | 'decided'>>();
  private readonly subject = session.subject;
  private readonly onWritten: Options['onWritten'];
  private readonly hasDraft: boolean;
  private readonly name: string;
  /** Time of the restored draft. */
  readonly restored: string;

  constructor(
    readonly kind: Kind,
    readonly record: RecordOf,
    { onWritten, version }: Options = {},
  ) {
    const hasDraft = version === undefined;
    const found = hasDraft ? readDraft(session.subject, kind, record.id) : undefined;
    const name = draftName(session.subject, kind, record.id);
    super({
      ...begin(found ?? { base: version ?? versionOf(record), edits: {} }),
      ...EditSession.decided.get(name),
      isKept: true,
    });
    this.name = name;
    this.restored = found?.at ?? '';
    this.onWritten = onWritten;
    this.hasDraft = hasDraft;
  }

  /** A form that is opened again during a save continues it. Another session would not know what this one sends. */
  static open(kind: Kind, record: RecordOf): EditSession {
    return EditSession.underWay.get(draftName(session.subject, kind, record.id)) ?? new EditSession(kind, record);
  }

  static withoutDraft(kind: Kind, record: RecordOf, version: Version): EditSession {
    return new EditSession(kind, record, { version });
  }

  dispatch(action: Action): void {
    const before = this.get();
    const next = reduce(before, action);
    const isKept = next.draft === before.draft ? before.isKept : this.keep(next.draft);
    this.set({ ...next, isKept });
    const { decisions, decided } = next;
    if (action.type === 'decide') EditSession.decided.set(this.name, { decisions, decided });
    else if (next.saved !== undefined) EditSession.decided.delete(this.name);
  }

  /** The form is open until the returned function is called. */
  show(): () => void {
    if (!this.hasDraft) return () => undefined;
    EditSession.shown.set(this.name, this);
    return () => {
      if (EditSession.shown.get(this.name) === this) EditSession.shown.delete(this.name);
    };
  }

  /** Discards the draft, which the user can bring back until the tab is closed. */
  discard(live: Version): void {
    this.setAside();
    this.dispatch({ type: 'discard', live });
    announceDiscarded(() => EditSession.bringBack(this.kind, this.record.id));
  }

  /** Brings the discarded draft of a record back, into its form if that is open. */
  static bringBack(kind: Kind, id: string): void {
    const open = EditSession.shown.get(draftName(session.subject, kind, id));
    if (open === undefined) bringBackDraft(session.subject, kind, id);
    else open.bringBack();
  }

  get hasDiscarded(): boolean {
    return this.hasDraft && readDiscarded(this.name) !== undefined;
  }

  /** Edits the discarded draft again. What was typed since is discarded instead. */
  bringBack(): void {
    const draft = takeDiscarded<Draft>(this.name);
    if (draft === undefined) return;
    this.setAside();
    this.dispatch({ type: 'bringBack', draft });
  }

  private setAside(): void {
    const { draft } = this.get();
    if (!isEmpty(draft)) keepDiscarded(this.name, draft);
  }

  private keep(draft: Draft): boolean {
    return !this.hasDraft || writeDraft(this.subject, this.kind, this.record.id, draft);
  }

  get isEditedElsewhere(): boolean {
    return this.hasDraft && hasDraftElsewhere(this.subject, this.kind, this.record.id);
  }

  async save(type: 'save' | 'settle'): Promise<Saved | undefined> {
    const { edits, sent } = this.get().draft;
    const faults = weightFaults(Object.fromEntries(Object.entries(edits).map(([field, { to }]) => [field, to])));
    // An attempt whose outcome is unknown is repeated first, whatever was typed since.
    if (sent === undefined && type === 'save' && Object.keys(faults).length > 0) {
      this.dispatch({ type: 'refuse', errors: faults });
      return undefined;
    }
    const { name } = this;
    if (this.hasDraft) EditSession.underWay.set(name, this);
    try {
      return await saveAll(this, type, {
        send: (saving) => this.send(saving),
        next: () => ({ key: crypto.randomUUID(), now: Date.now() }),
      });
    } finally {
      if (this.hasDraft && this.get().saving === undefined) EditSession.underWay.delete(name);
    }
  }

  private async send({ attempt: { key, eTag, body }, isRepeated }: Saving): Promise<Answer> {
    const { base } = this.get().draft;
    const target = { ...this.record, id: String(base.values['id']), eTag } as RecordOf;
    try {
      const patch = JSON.parse(body) as object;
      const written = await RECORDS[this.kind].write(target, patch, { ifMatch: eTag, idempotencyKey: key });
      const version = versionOf(written);
      safely(() => this.onWritten?.(version));
      return { kind: 'written', version };
    } catch (error) {
      if (!isProblem(error, 'PRECONDITION_FAILED')) return this.answerOf(error, isRepeated);
      const read = () => RECORDS[this.kind].read(target.id);
      return reportOf(error.problem, base.values, read).then(
        (report): Answer => ({ kind: 'stale', report }),
        (unread: unknown) => this.refusalOf(unread),
      );
    }
  }

  private answerOf(error: unknown, isRepeated: boolean): Answer {
    if (mayBeDone(error, isRepeated)) return { kind: 'unknown', text: explainOpen(error, 'saved') };
    return this.refusalOf(error);
  }

  private refusalOf(error: unknown): Answer {
    if (isProblem(error, 'NOT_FOUND')) {
      // The history shows who deleted it.
      void queryClient.invalidateQueries({ queryKey: historyQuery(historyOf(this.kind, this.record)).queryKey });
      return { kind: 'deleted' };
    }
    if (isProblem(error, 'VALIDATION_FAILED')) {
      const { errors } = error.problem;
      const found = errors.map(
        ({ pointer, message }) => [pointer.replace(/^[#/]+/, ''), sentenceOfError(message)] as const,
      );
      return { kind: 'invalid', errors: Object.fromEntries(found) };
    }
    if (isProblem(error, 'FORBIDDEN')) return { kind: 'forbidden', detail: error.problem.detail };
    return { kind: 'refused', text: explain(error) };
  }
}

export function versionOf(record: RecordOf): Version {
  return { eTag: record.eTag, values: valuesOf(record) };
}
