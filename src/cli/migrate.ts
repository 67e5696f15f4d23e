import { migrate } from '../shared/composition/migrate.ts'
import { configOrExit, exitWith } from '../shared/composition/process.ts'
import { isMigrated, pendingSchema } from '../shared/composition/wait-for-schema.ts'
import { required } from '../shared/platform/config/config.ts'
import { migrationNames } from '../shared/platform/db/run-migrations.ts'
import { singleClient } from '../shared/platform/db/single-client.ts'
import { readSettings } from './with-database.ts'

const say = (line: string) => process.stdout.write(`flightline: ${line}\n`)
const print = (line: string) => process.stderr.write(`flightline: ${line}\n`)

/**
 * `flightline migrate`: migrates the schema to this release and prints what it did. Run it once per release, before the
 * processes of the release start. With `status` it changes nothing, prints the pending migrations, and exits with code
 * 1 when there are any; without `DATABASE_URL` it then checks the database of the all-in-one process that runs on
 * `DATA_DIR`.
 */
export async function runMigrate({ status }: { status: boolean }): Promise<void> {
  try {
    const config = status ? readSettings() : configOrExit({ HOST: '0.0.0.0' })
    const serviceUrl = required(config, 'DATABASE_URL')
    const ownerUrl = config.MIGRATION_DATABASE_URL ?? serviceUrl
    if (status) process.exitCode = await notifyStatus(ownerUrl)
    else await bringUpToDate(ownerUrl, serviceUrl)
  } catch (error) {
    exitWith(error)
  }
}

async function bringUpToDate(ownerUrl: string, serviceUrl: string): Promise<void> {
  let count = 0
  const applied = (name: string) => {
    count += 1
    say(`applied ${name}`)
  }
  await migrate({ ownerUrl, serviceUrl, print, applied })
  say(count === 0 ? `nothing to do: ${upToDate()}` : `${count} migrations applied: ${upToDate()}`)
}

async function notifyStatus(ownerUrl: string): Promise<number> {
  const client = singleClient({ connectionString: ownerUrl, application_name: 'flightline-migrate' })
  await client.connect()
  try {
    const pending = await pendingSchema(client)
    for (const name of pending.migrations) say(`pending ${name}`)
    if (pending.queues) say('pending the schema of the queues')
    say(
      isMigrated(pending)
        ? upToDate()
        : `${pending.migrations.length} of ${migrationNames.length} migrations are pending`,
    )
    return isMigrated(pending) ? 0 : 1
  } finally {
    await client.end()
  }
}

function upToDate(): string {
  return `the schema is that of this release, ${migrationNames.length} migrations, the last ${migrationNames.at(-1)}`
}
