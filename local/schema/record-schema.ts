import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { tablesByContext } from '../../src/shared/composition/tables.ts'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { singleClient } from '../../src/shared/platform/db/single-client.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { serviceUrl } from '../start/own-database.ts'
import { describeSchema } from './describe-schema.ts'
import { describeTables } from './describe-tables.ts'
import { landedOn } from './landed-migrations.ts'

/**
 * `npm run schema`, after a new migration: writes the schema after all migrations to `migrations/schema.txt`, the
 * declared tables to `docs/tables.md`, and the checksums of drafts to `migrations/checksums.json`. Checksums of
 * migrations that landed on the main branch do not change.
 */
await writeFile(join(migrationsFolder, '../docs/tables.md'), describeTables(tablesByContext))
await writeFile(join(migrationsFolder, 'schema.txt'), await migratedSchema())
const file = join(migrationsFolder, 'checksums.json')
const landed = await landedChecksums()
for (const name of (await readdir(migrationsFolder)).filter((entry) => entry.endsWith('.ts')).sort()) {
  landed[name] ??= createHash('sha256')
    .update(await readFile(join(migrationsFolder, name)))
    .digest('hex')
}
await writeFile(file, `${JSON.stringify(landed, Object.keys(landed).sort(), 2)}\n`)

/** Returns the checksums of the migrations that landed on the main branch; without a git repository, all checksums of the file. */
async function landedChecksums(): Promise<Record<string, string>> {
  return landedOn(migrationsFolder) ?? JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
}

/** Returns the schema of a new database after all migrations, on a temporary server. */
async function migratedSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightline-schema-'))
  // When root runs this script, PostgreSQL runs as another user, who needs access.
  await chmod(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, durable: false })
  try {
    const ownerUrl = server.url('postgres')
    await migrate({ ownerUrl, serviceUrl: serviceUrl(ownerUrl), print: (line) => process.stderr.write(`${line}\n`) })
    const client = singleClient({ connectionString: ownerUrl })
    await client.connect()
    const schema = await describeSchema(client)
    await client.end()
    return schema
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
