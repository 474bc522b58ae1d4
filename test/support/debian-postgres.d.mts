export function debianPostgres(): string;
