import { describeOrganization, summarizeDeletedOrganizations, summarizeOrganizations } from './org.queries.ts'
import { readSettings, say, sayTable, withDatabase } from './with-database.ts'

/** `flightline org list`: prints the organizations. */
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

/**
 * `flightline org list --deleted`: prints the deleted organizations, who deleted them, and how many records they had.
 */
export async function listDeletedOrganizations(): Promise<void> {
  const rows = await withDatabase(readSettings(), ({ pool }) => summarizeDeletedOrganizations(pool))
  const cells = rows.map(({ id, name, members, resources, bookings, invoices, createdAt, deletedAt, deletedBy }) => [
    ...[String(id), name],
    ...[members, resources, bookings, invoices].map(String),
    createdAt.toISOString().slice(0, 10),
    deletedAt.toISOString().slice(0, 16).replace('T', ' '),
    deletedBy,
  ])
  sayTable([['id', 'name', 'members', 'resources', 'bookings', 'invoices', 'since', 'deleted', 'by'], ...cells])
}

/**
 * `flightline org show`: prints the figures of one organization.
 * @throws Error when there is no such organization
 */
export async function showOrganization(id: number): Promise<void> {
  const found = Number.isSafeInteger(id)
    ? await withDatabase(readSettings(), ({ pool }) => describeOrganization(pool, id))
    : undefined
  if (!found) throw new Error('there is no such organization: see flightline org list')
  for (const [name, value] of Object.entries(found))
    say(`${name.padEnd(20)} ${value instanceof Date ? value.toISOString() : value}`)
}
