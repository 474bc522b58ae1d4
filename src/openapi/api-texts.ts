/** The texts of the document that name what the service is about. */
export interface ApiTexts {
  readonly summary: string;
  readonly introduction: string;
  readonly headers: Readonly<Record<string, string>>;
  problemExample(code: string): object;
}

export const API_TEXTS = Symbol('API_TEXTS');
