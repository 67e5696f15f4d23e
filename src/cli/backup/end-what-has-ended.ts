import type pg from 'pg'
import { roles } from '../../shared/platform/authz/roles.ts'
import type { Config } from '../../shared/platform/config/config.ts'
import { dropStoredFolder, dropStoredObject } from '../../shared/platform/storage/storage.jobs.ts'
import { endAgain } from '../../shared/workflows/end-again.ts'
import { say, transact, withDatabase } from '../with-database.ts'
import type { EndedRows } from './journal.ts'
import { deleteRights, rightsTables } from './rights.queries.ts'

/** What goes on after `flightline resume` of that which ending causes: files go. Nobody is mailed a second time. */
const GO_ON = [dropStoredFolder.name, dropStoredObject.name]

/** Ends in a restored database what ended after the backup, and says how much that was. */
export async function endWhatHasEnded(config: Config, client: pg.Client, ended: EndedRows): Promise<void> {
  for (const table of rightsTables) await deleteRights(client, table, ended[table])
  const taken = roles.map((role) => [role, ended[role].filter((id) => !ended.membership.includes(id))] as const)
  await withDatabase(config, (database) =>
    transact(database, (tx) => endAgain(tx, { ...ended, taken: Object.fromEntries(taken) as typeof ended })),
  )
  await client.query('update outbox set failed_at = now() where failed_at is null and job <> all($1)', [GO_ON])
  const counts = Object.entries(ended).flatMap(([name, ids]) => (ids.length > 0 ? [`${name} ${ids.length}`] : []))
  say(`ended again: ${counts.join(', ') || 'nothing'}`)
}
