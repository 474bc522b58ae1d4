import 'reflect-metadata';
import { migrateToNextVersion } from './next-migrations.js';

await migrateToNextVersion(process.env['DATABASE_URL'] ?? '');
