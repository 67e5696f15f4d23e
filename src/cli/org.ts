import { describeOrganization, summarizeOrganizations } from './org.queries.ts'
import { readSettings, say, sayTable, withDatabase } from './with-database.ts'

/** `flightline org list`: names the organizations. */
export async function listOrganizations(): Promise<void> {
  const rows = await withDatabase(readSettings(), ({ pool }) => summarizeOrganizations(pool))
  const cells = rows.map(({ id, name, members, createdAt, demo }) => [
    String(id),
    name,
    String(members),
    createdAt.toISOString().slice(0, 10),
    demo ? 'demo' : '',
  ])
  sayTable([['id', 'name', 'members', 'since', ''], ...cells])
}

/** `flightline org show`: prints the figures of one organization. */
export async function showOrganization(id: number): Promise<void> {
  const found = Number.isSafeInteger(id)
    ? await withDatabase(readSettings(), ({ pool }) => describeOrganization(pool, id))
    : undefined
  if (!found) throw new Error('there is no such organization: see flightline org list')
  for (const [name, value] of Object.entries(found))
    say(`${name.padEnd(20)} ${value instanceof Date ? value.toISOString() : value}`)
}
