import { DefaultNamingStrategy, type Table } from 'typeorm';

/** moveID -> move_id, pickupAddress.streetAddress1 -> pickup_address_street_address1; constraint names as in PostgreSQL. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined, embeddedIn: string[]): string {
    return [...embeddedIn.map(snakeCase), customName ?? snakeCase(property)].join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z]+)/g, '$1_$2').toLowerCase();
}

function nameOf(table: Table | string): string {
  const path = typeof table === 'string' ? table : table.name;
  return path.split('.').pop() ?? path;
}
