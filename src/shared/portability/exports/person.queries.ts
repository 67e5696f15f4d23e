import { type RawBuilder, sql } from 'kysely'
import type { Table } from '../../platform/db/declare-table.ts'
import type { ExportedTable } from './export.queries.ts'

/** Whose records are exported: a member, or an account. */
export type Person = { orgUserId: number } | { accountId: number }

/** Selects the account of a person with what they said of themself. */
export function selectAccount(person: Person): RawBuilder<{ account: Record<string, unknown>; accountId: number }> {
  const isTheirs =
    'accountId' in person
      ? sql`a.id = ${person.accountId}`
      : sql`a.id = (select m.account_id from membership m where m.id = ${person.orgUserId})`
  return sql`
    select a.id as "accountId", json_build_object('name', a.name, 'email', a.email, 'phone', a.phone,
        'emailVerifiedAt', a.email_verified_at, 'createdAt', a.created_at) as account
      from account a where ${isTheirs}`
}

/** A membership of a person: past ones too. */
export interface PersonsMembership {
  organizationId: number
  orgUserId: number
  organization: string
  membership: Record<string, unknown>
}

/** Selects the memberships of an account in all organizations. */
export function selectMemberships(accountId: number): RawBuilder<PersonsMembership> {
  return sql`
    select m.organization_id as "organizationId", m.id as "orgUserId", o.name as organization,
      json_build_object('name', m.search_name, 'phone', m.phone, 'roles', array_remove(array[
          case when m.owner then 'owner' end, case when m.admin then 'admin' end,
          case when m.dispatcher then 'dispatcher' end, case when m.instructor then 'instructor' end,
          case when m.student then 'student' end, case when m.renter then 'renter' end,
          case when m.technician then 'technician' end], null),
        'billingMode', m.billing_mode, 'grounded', m.grounded, 'since', m.created_at, 'until', m.removed_at) as membership
    from membership m join organization o on o.id = m.organization_id
    where m.account_id = ${accountId} order by m.id`
}

/**
 * The columns of a person's rows that stay: notes, which others wrote, and names and certificates of others. Other people
 * are ids.
 */
const othersColumns = /(^|_)(notes?|remarks|reason)$|^(signer|countersigner|recorded|requester|guest)_/

/** A table whose rows are a person's by a column, or by the row that they belong to. */
export interface PersonsTable {
  table: string
  columns: string[]
  where: (of: { organizationId: number; orgUserId: number }) => RawBuilder<unknown>
}

/** The rows that belong to a row of a person, by the column that names it. */
const parts: Readonly<Record<string, [column: string, parent: string, owner: string]>> = {
  invoice_item: ['invoice_id', 'invoice', 'membership_id'],
  payment: ['invoice_id', 'invoice', 'membership_id'],
  package_use: ['invoice_id', 'invoice', 'membership_id'],
  credit_note: ['invoice_id', 'invoice', 'membership_id'],
  training_record: ['enrollment_id', 'enrollment', 'membership_id'],
  credit_entry: ['enrollment_id', 'enrollment', 'membership_id'],
  training_certificate: ['enrollment_id', 'enrollment', 'membership_id'],
  reservation: ['id', 'seat', 'membership_id'],
}

/**
 * Returns the tables of a person: those of which a column names whose the rows are, and their parts. What the person did
 * for others (signed, booked, recorded) is the organization's.
 */
export function personsTables(tables: readonly Table[], exported: readonly ExportedTable[]): PersonsTable[] {
  return exported.flatMap(({ table, columns: all }) => {
    const owner = ownerOf(tables, table)
    const part = parts[table]
    if (!owner && !part) return []
    const columns = all.filter((column) => !othersColumns.test(column))
    return [{ table, columns, where: part ? isPartOf(part) : isOf(owner!) }]
  })
}

/** Returns the column of an exported table that says whose a row is. */
function ownerOf(tables: readonly Table[], name: string): string | undefined {
  const references = tables.find((table) => table.name === name)?.references
  return references?.find(({ part }) => part !== 'acts')?.column
}

function isOf(column: string): PersonsTable['where'] {
  return ({ organizationId, orgUserId }) =>
    sql`organization_id = ${organizationId} and ${sql.ref(column)} = ${orgUserId}`
}

function isPartOf([column, parent, owner]: [string, string, string]): PersonsTable['where'] {
  const key = parent === 'seat' ? sql`reservation_id` : sql`id`
  return ({ organizationId, orgUserId }) => sql`organization_id = ${organizationId} and ${sql.ref(column)} in
    (select ${key} from ${sql.table(parent)} where organization_id = ${organizationId} and ${sql.ref(owner)} = ${orgUserId})`
}

/** Selects a person's rows of a table, oldest first; a profile without what staff note in it. */
export function selectPersonsRows(
  { table, columns, where }: PersonsTable,
  of: { organizationId: number; orgUserId: number },
): RawBuilder<{ cells: unknown[] }> {
  const cells = columns.map((column) => {
    const cell = sql`to_jsonb(${sql.ref(column)})`
    return table === 'member_profile' && (column === 'facts' || column === 'verified') ? sql`${cell} - 'notes'` : cell
  })
  const order = columns.includes('id') ? sql`order by id` : sql``
  return sql`select jsonb_build_array(${sql.join(cells)}) as cells from ${sql.table(table)} where ${where(of)} ${order}`
}
