import { EditSession } from '../edit/edit-session.js';
import { draftName, writeDraft } from '../edit/kept-draft.js';
import type { NewChild, NewRecord, ChildKind } from '../edit/records.js';
import { keptByTab } from '../kept-by-tab.js';
import { announceDiscarded, keepDiscarded, readDiscarded, takeDiscarded } from '../discarded.js';
import { isEmpty, type Draft } from '../model/draft.js';
import { valuesOf, type Values } from '../model/fields.js';
import { session } from '../session/session.js';
import { Store } from '../store.js';
import { missingIn } from './missing.js';

interface ChildDraft {
  readonly kind: ChildKind;
  /** Names the draft of the agent or service. */
  readonly id: string;
}

/** State that the drafts do not contain: which agents and services belong to the shipment, and its id once it is created. */
interface Progress {
  readonly parts: readonly ChildDraft[];
  readonly created?: { readonly id: string; readonly code: string } | undefined;
}

/** All that a creation keeps. */
interface Discarded {
  readonly shipment: Draft;
  readonly parts: readonly (ChildDraft & { readonly draft: Draft })[];
  readonly created: Progress['created'];
}

export interface NewChildSession extends ChildDraft {
  readonly edit: EditSession;
}

export interface CreationState {
  readonly parts: readonly NewChildSession[];
  readonly created?: Progress['created'];
  readonly isSaving: boolean;
}

/** The values that a creation starts with. */
export interface Start {
  readonly values: Values;
  readonly parts: readonly { readonly kind: ChildKind; readonly values: Values }[];
}

/**
 * Creates a shipment, then its agents and services. Each request has a draft and a key of its own, so that a creation that was interrupted
 * at any point continues there: every record is created once.
 */
export class Creation extends Store<CreationState> {
  /** Those that are saving, also while their forms are closed, by slot. */
  private static readonly underWay = new Map<string, Creation>();
  /** Those whose forms are open, by slot. */
  private static readonly shown = new Map<string, Creation>();
  readonly shipment: EditSession;
  private readonly key: string;
  private readonly record: NewRecord;

  /** A form that is opened again while it saves continues that. Another creation would create the agents and services once more. */
  static open(slot: string): Creation {
    return Creation.underWay.get(slot) ?? new Creation(slot);
  }

  private constructor(private readonly slot: string) {
    super({ parts: [], isSaving: false });
    this.key = `waybill.creation.${session.subject}.${slot}`;
    this.record = { id: slot, eTag: '' };
    keptByTab.takeOver(this.key, draftName(session.subject, 'shipment', slot));
    this.shipment = new EditSession('shipment', this.record, {
      onWritten: ({ values }) =>
        this.update({ created: { id: String(values['id']), code: String(values['shipmentCode']) } }),
    });
    const { parts, created } = keptByTab.read<Progress>(this.key) ?? { parts: [] };
    this.set({ parts: parts.map((part) => this.withSession(part)), created, isSaving: false });
  }

  /** Whether there is nothing to lose. */
  get isEmpty(): boolean {
    const { parts, created } = this.get();
    return parts.length === 0 && created === undefined && isEmpty(this.shipment.get().draft);
  }

  begin({ values, parts }: Start): void {
    this.shipment.dispatch({ type: 'change', values, live: this.shipment.get().draft.base });
    for (const { kind, values: ofPart } of parts) this.add(kind, ofPart);
  }

  add(kind: ChildKind, values: Values = {}): void {
    const part = this.withSession({ kind, id: `new-${crypto.randomUUID()}` });
    part.edit.dispatch({ type: 'change', values, live: part.edit.get().draft.base });
    this.update({ parts: [...this.get().parts, part] });
  }

  remove({ kind, id }: ChildDraft): void {
    this.update({ parts: this.get().parts.filter((part) => part.id !== id) });
    writeDraft(session.subject, kind, id, undefined);
  }

  /** Adds a removed agent or service again, with what was entered. */
  putBack({ kind, id, edit }: NewChildSession): void {
    const { parts } = this.get();
    if (parts.some((part) => part.id === id)) return;
    writeDraft(session.subject, kind, id, edit.get().draft);
    this.update({ parts: [...parts, this.withSession({ kind, id })] });
  }

  /** The form is open until the returned function is called. */
  show(): () => void {
    Creation.shown.set(this.slot, this);
    return () => {
      if (Creation.shown.get(this.slot) === this) Creation.shown.delete(this.slot);
    };
  }

  get hasDiscarded(): boolean {
    return readDiscarded(this.key) !== undefined;
  }

  /** Discards everything, which the user can bring back until the tab is closed. */
  discard(): void {
    this.setAside();
    announceDiscarded(() => (Creation.shown.get(this.slot) ?? Creation.open(this.slot)).bringBack());
  }

  /** Continues with what was discarded. What was entered since is discarded instead. */
  bringBack(): void {
    const kept = takeDiscarded<Discarded>(this.key);
    if (kept === undefined) return;
    this.setAside();
    this.shipment.dispatch({ type: 'bringBack', draft: kept.shipment });
    const parts = kept.parts.map(({ kind, id, draft }) => {
      writeDraft(session.subject, kind, id, draft);
      return this.withSession({ kind, id });
    });
    this.update({ parts, created: kept.created });
  }

  private setAside(): void {
    if (this.isEmpty) return;
    const { parts, created } = this.get();
    const drafts = parts.map(({ kind, id, edit }) => ({ kind, id, draft: edit.get().draft }));
    keepDiscarded(this.key, { shipment: this.shipment.get().draft, parts: drafts, created } satisfies Discarded);
    for (const part of parts) this.remove(part);
    this.shipment.dispatch({ type: 'discard', live: { eTag: '', values: valuesOf(this.record) } });
    this.update({ created: undefined });
  }

  /** Returns true if everything is saved. */
  async save(): Promise<boolean> {
    if (this.get().isSaving || !this.isComplete()) return false;
    this.update({ isSaving: true });
    Creation.underWay.set(this.slot, this);
    try {
      return (await this.saveShipment()) && (await this.saveChildren());
    } finally {
      Creation.underWay.delete(this.slot);
      this.update({ isSaving: false });
    }
  }

  private async saveShipment(): Promise<boolean> {
    if (this.get().created !== undefined && isEmpty(this.shipment.get().draft)) return true;
    return (await this.shipment.save('save')) !== undefined;
  }

  private async saveChildren(): Promise<boolean> {
    for (const part of this.get().parts) {
      if ((await part.edit.save('save')) !== undefined) this.remove(part);
      // The user decides about it before the others are tried.
      else if (part.edit.get().obstacle !== undefined) return false;
    }
    return this.get().parts.length === 0;
  }

  /** Marks missing fields of all records before the first one is created. A record that may exist already is not judged. */
  private isComplete(): boolean {
    const { parts, created } = this.get();
    const edits = [...(created === undefined ? [this.shipment] : []), ...parts.map(({ edit }) => edit)];
    const incomplete = edits.filter((edit) => {
      const { draft } = edit.get();
      const values = Object.fromEntries(Object.entries(draft.edits).map(([field, { to }]) => [field, to]));
      const errors = draft.sent === undefined ? missingIn(edit.kind, values) : {};
      if (Object.keys(errors).length === 0) return false;
      edit.dispatch({ type: 'refuse', errors });
      return true;
    });
    return incomplete.length === 0;
  }

  private withSession(part: ChildDraft): NewChildSession {
    const shipmentID = () => this.get().created?.id ?? '';
    const record: NewChild = {
      id: part.id,
      eTag: '',
      // Not known before the shipment is created.
      get shipmentID() {
        return shipmentID();
      },
    };
    return { ...part, edit: new EditSession(part.kind, record) };
  }

  private update(change: Partial<CreationState>): void {
    this.set({ ...this.get(), ...change });
    const { parts, created } = this.get();
    const isDone = parts.length === 0 && (created === undefined || isEmpty(this.shipment.get().draft));
    const progress: Progress = { parts: parts.map(({ kind, id }) => ({ kind, id })), created };
    keptByTab.write(this.key, isDone ? undefined : progress);
  }
}
