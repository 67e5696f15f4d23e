import { type RawBuilder, sql } from 'kysely'
import type { Table } from '../../platform/db/declare-table.ts'
import type { ExportedTable } from './export.queries.ts'

/** The person whose records are exported, by member or by account. */
export type Person = { orgUserId: number } | { accountId: number }

/** Selects the account of a person with the name, email and phone that the person gave. */
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

/** A present or past membership of a person. */
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
 * The columns that are left out of a person's rows: notes, which others wrote, and names and certificates of other
 * people. Other people appear only as ids.
 */
const othersColumns = /(^|_)(notes?|remarks|reason)$|^(signer|countersigner|recorded|requester|guest)_/

/** A table with rows about a person, its exported columns, and the condition that selects these rows. */
export interface PersonsTable {
  table: string
  columns: string[]
  where: (of: { organizationId: number; orgUserId: number }) => RawBuilder<unknown>
}

/**
 * The tables whose rows belong to a row about a person: the column that references this row, the table of this row, and
 * the column with the member in it.
 */
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
 * Returns the tables with rows about a person: tables with a column for the member whom a row is about, and the tables
 * of `parts`. A row that the person only acted on (signed, booked, recorded) belongs to the organization and is not
 * included.
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

/** Returns the column of an exported table with the member whom a row is about; undefined when there is none. */
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

/** Selects a person's rows of a table, oldest first. The notes of staff in a profile are left out. */
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
