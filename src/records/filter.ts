/** A condition of a list: the property, how it is compared, and nothing else; the value is always a parameter. */
export interface Filter {
  readonly property: string;
  readonly operator: '=' | '>=' | '<=' | 'in';
  readonly value: unknown;
}

/** The filters whose value is given. */
export function filters(...wanted: [property: string, operator: Filter['operator'], value: unknown][]): Filter[] {
  return wanted
    .filter(([, , value]) => value !== undefined)
    .map(([property, operator, value]) => ({ property, operator, value }));
}
