/** The texts of the document that name what the service is about. */
export interface ApiTexts {
  readonly summary: string;
  readonly introduction: string;
  /** Examples of headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The payload of the example of a problem. */
  problemExample(code: string): object;
}

export const API_TEXTS = Symbol('API_TEXTS');
