export interface TranslatedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}
export function startTranslatedPostgres(language: string): Promise<TranslatedPostgres>;
